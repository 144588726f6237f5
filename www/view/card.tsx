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
  act: (kind: Kind, byPointer: boolean) => void;
}

export function Card({ film, item, reason, act }: CardProps) {
  const genre = genreOf(film);
  return (
    <>
      <Poster film={film}>
        {genre !== null && <p class="poster-genre">{genre}</p>}
        <h3 class="poster-title">{film.title}</h3>
        <p class="poster-year">{film.year}</p>
      </Poster>
      <div class="card-body">
        <p class="card-facts">
          <span class="card-director">{film.director}</span>
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
              onClick={({ detail }) => act(kind, detail > 0)}
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

function genreOf({ genre, story }: Film): string | null {
  return story === "Science Fiction" ? "Science fiction" : genre;
}

/** What stands in a hidden film's place while that can be undone. */
export function HiddenCard({ film, undo }: { film: Film; undo: (byPointer: boolean) => void }) {
  return (
    <div class="hidden-card">
      <p>
        <b>{film.title}</b> is hidden. Undo it now, or it is final in a moment.
      </p>
      <button
        type="button"
        class="button"
        aria-label={`Undo hiding ${film.title}`}
        onClick={({ detail }) => undo(detail > 0)}
      >
        <Icon name="undo" /> Undo
      </button>
    </div>
  );
}
