// The log of events, each with what became of it.
import { moment } from "../clock.ts";
import type { Entry } from "../diary.ts";
import { line } from "../words.ts";

/** How many are shown. */
const SHOWN = 60;

export function EventLog({ entries, tab }: { entries: readonly Entry[]; tab: string }) {
  const newest = entries.slice(-SHOWN).reverse();
  return (
    <div class="log">
      {newest.length === 0 && <p class="quiet">Nothing yet. Like, save, skip or hide a film.</p>}
      <ol aria-label="Events, newest first">
        {newest.map((entry) => {
          const { text, outcome, tone } = line(entry);
          return (
            <li key={entry.id}>
              <time dateTime={new Date(entry.at).toISOString()}>{moment(entry.at)}</time>
              <span class="log-text">
                {text}
                {entry.tab !== tab && <small> · other tab</small>}
              </span>
              <b class="outcome" data-tone={tone}>
                {outcome}
              </b>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
