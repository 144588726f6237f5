// A film's score: how much each side has to say for it.
import type { RankedItem } from "tidegate";

/** The score that fills the bar: few films have more. */
const FULL = 1.2;

export function ScoreBar({ item }: { item: RankedItem }) {
  const parts = [
    { name: "local", score: item.local },
    { name: "community", score: item.community },
    { name: "cohort", score: item.cohort },
  ];
  const words = parts.map(({ name, score }) => `${name} ${number(score)}`).join(", ");
  return (
    <div class="score" role="img" aria-label={`Score ${number(item.score)}: ${words}`}>
      <svg class="score-bar" width="100%" height="8" aria-hidden="true">
        {parts.map(({ name, score }, place) => {
          // What counts against a film shows as a number only.
          const before = parts.slice(0, place).reduce((sum, part) => sum + share(part.score), 0);
          return <rect key={name} class={name} x={percent(before)} width={percent(share(score))} height="8" />;
        })}
      </svg>
      <span class="score-parts" aria-hidden="true">
        {parts.map(
          ({ name, score }) =>
            (name !== "cohort" || score !== 0) && (
              <span key={name} class={name}>
                {name} <b>{number(score)}</b>
              </span>
            ),
        )}
      </span>
    </div>
  );
}

function share(score: number): number {
  return Math.min(Math.max(score, 0) / FULL, 1);
}

function percent(part: number): string {
  return `${(part * 100).toFixed(1)}%`;
}

/** No "−0.00": rounded first, and a zero has no sign. */
function number(score: number): string {
  return (Math.round(score * 100) / 100 || 0).toFixed(2).replace("-", "−");
}
