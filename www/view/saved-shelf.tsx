// The films that were saved for later.
import type { Device } from "../device.ts";

export function SavedShelf({ device }: { device: Device }) {
  const saved = device.saved;
  if (saved.length === 0) return null;
  return (
    <section class="shelf" aria-labelledby="shelf-title">
      <h2 id="shelf-title">Saved for later</h2>
      <ul>
        {saved.map((film) => (
          <li key={film.id}>
            <span>
              {film.title} <small>{film.year}</small>
            </span>
            <button
              type="button"
              class="button"
              aria-label={`Like ${film.title}, which you saved`}
              onClick={() => device.signal("like", film)}
            >
              Like
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
