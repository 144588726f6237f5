// One film of the feed.
import type { RankedItem } from "tidegate";
import type { Film } from "../catalogue.ts";
import type { Kind } from "../diary.ts";
import { Icon } from "./icon.tsx";
import { Poster } from "./poster.tsx";
import { ScoreBar } from "./score-bar.tsx";

const ACTIONS: readonly { kind: Kind; name: string }[] = [
  { kind: "like", name: "Like" },
  { kind: "save", name: "Save" },
  { kind: "skip", name: "Skip" },
  { kind: "hide", name: "Hide" },
];

export interface CardProps {
  film: Film;
  item: RankedItem;
  reason: string;
  act: (kind: Kind) => void;
}

export function Card({ film, item, reason, act }: CardProps) {
  return (
    <>
      <Poster film={film}>
        <p class="poster-genre">{genreOf(film)}</p>
        <h3 class="poster-title">{film.title}</h3>
        <p class="poster-year">{film.year}</p>
      </Poster>
      <div class="card-body">
        <p class="card-facts">
          <span class="card-director">{film.director ?? film.story}</span>
          {film.rating !== null && (
            <span class="card-rating">
              <span class="unseen">Rated </span>★ {film.rating.toFixed(1)}
            </span>
          )}
        </p>
        <p class="card-reason">{reason}</p>
        <ScoreBar item={item} />
        <div class="card-actions">
          {ACTIONS.map(({ kind, name }) => (
            <button
              key={kind}
              type="button"
              class={`act act-${kind}`}
              aria-label={`${name} ${film.title}`}
              title={name}
              onClick={() => act(kind)}
            >
              <Icon name={kind} />
              <span class="act-name">{name}</span>
            </button>
          ))}
        </div>
      </div>
    </>
  );
}

function genreOf({ genre, story }: Film): string {
  return story === "Science Fiction" ? "Science fiction" : (genre ?? story ?? "Film");
}

/** What stands in a hidden film's place while that can be undone. */
export function HiddenCard({ film, undo }: { film: Film; undo: () => void }) {
  return (
    <div class="hidden-card">
      <p>
        <b>{film.title}</b> is hidden. Undo it now, or it is recorded in a moment.
      </p>
      <button type="button" class="button" aria-label={`Undo hiding ${film.title}`} onClick={undo}>
        <Icon name="undo" /> Undo
      </button>
    </div>
  );
}
