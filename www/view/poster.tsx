// A film's poster. There are no pictures in the catalogue, so each poster is set from type and one drawing of its genre, which
// the film's name turns and shifts a little.
import type { ComponentChildren } from "preact";
import type { Film } from "../catalogue.ts";
import { draw } from "../neighbours.ts";
import { DRAWINGS, styleOf } from "./poster-drawings.tsx";

export function Poster({ film, children }: { film: Film; children: ComponentChildren }) {
  const style = styleOf(film);
  const Drawing = DRAWINGS[style];
  const [a, b] = [draw(film.id), draw(`${film.id} b`)];
  // The longer a title, the smaller it is set.
  const longest = Math.max(...film.title.split(" ").map((word) => word.length));
  const size =
    film.title.length > 34 || longest > 13 ? "small" : film.title.length > 16 || longest > 9 ? "middle" : "large";
  return (
    <div class={`poster poster-${style}`} data-size={size} data-tint={Math.floor(b * 3)}>
      <svg viewBox="0 0 300 220" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
        <g transform={a + b > 1 ? "translate(300 0) scale(-1 1)" : undefined}>
          <Drawing a={a} b={b} />
        </g>
      </svg>
      {children}
    </div>
  );
}
