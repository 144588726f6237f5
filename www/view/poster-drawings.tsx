// One drawing for each style of poster, on a ground of 300 by 220. `a` and `b`, 0 … 1, belong to the film.
import type { JSX } from "preact";
import type { Film } from "../catalogue.ts";

type Drawing = (chance: { a: number; b: number }) => JSX.Element;

const STYLES: Record<string, PosterStyle> = {
  Action: "rays",
  Adventure: "peaks",
  "Black Comedy": "checks",
  Comedy: "circles",
  "Concert/Performance": "rings",
  Documentary: "frame",
  Drama: "beams",
  Horror: "teeth",
  Musical: "rings",
  "Romantic Comedy": "pair",
  "Thriller/Suspense": "blinds",
  Western: "sun",
};

export type PosterStyle =
  | "beams"
  | "blinds"
  | "checks"
  | "circles"
  | "frame"
  | "orbits"
  | "pair"
  | "peaks"
  | "rays"
  | "reel"
  | "rings"
  | "sun"
  | "teeth";

export function styleOf({ genre, story }: Film): PosterStyle {
  if (story === "Science Fiction" && genre !== "Horror") return "orbits";
  return STYLES[genre ?? ""] ?? "reel";
}

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

export const DRAWINGS: Record<PosterStyle, Drawing> = {
  // Two spotlights from above.
  beams: ({ a, b }) => (
    <>
      <path class="faint" d={`M${40 + a * 80} -20 L${-40 + b * 60} 240 H${120 + b * 90}Z`} />
      <path class="faint" d={`M${260 - b * 80} -20 L${150 - a * 40} 240 H${300 + a * 40}Z`} />
      <circle class="strong" cx={110 + a * 90} cy={62} r={20 + b * 12} />
    </>
  ),
  // Light through a venetian blind.
  blinds: ({ a, b }) => (
    <g transform={`rotate(${-24 + a * 16} 150 110)`}>
      {range(9).map((i) => (
        <rect class={i % 3 === 1 ? "soft" : "faint"} x={40 + b * 60} y={-50 + i * 24} width={420} height={10} />
      ))}
      <rect class="ground" x={120 + b * 70} y={-80} width={6} height={380} />
    </g>
  ),
  // Some squares of a board.
  checks: ({ a, b }) => (
    <g transform={`rotate(${a * 14 - 7} 150 60)`}>
      {range(40).map((i) => {
        const [x, y] = [i % 10, Math.floor(i / 10)];
        return (
          (x + y) % 2 === 0 && (
            <rect
              class={x === Math.floor(b * 10) ? "strong" : "faint"}
              x={x * 34 - 14}
              y={y * 34 - 20}
              width={34}
              height={34}
            />
          )
        );
      })}
    </g>
  ),
  // Balloons.
  circles: ({ a, b }) => (
    <>
      <circle class="soft" cx={70 + a * 160} cy={56} r={44 + b * 22} />
      <circle class="faint" cx={250 - a * 150} cy={96 + b * 20} r={58} />
      <circle class="strong" cx={40 + b * 220} cy={40 + a * 40} r={14} />
      <circle class="line" cx={150 + (a - b) * 90} cy={84} r={84} />
    </>
  ),
  // A view finder.
  frame: ({ a, b }) => (
    <>
      <path class="line" d="M60 60V34H96M240 60V34H204M60 104v26H96M240 104v26H204" />
      <path
        class="line"
        d={`M24 ${96 + a * 20} l60 -${20 + b * 30} 50 ${12 + a * 20} 70 -${30 + b * 20} 80 ${20 + a * 20}`}
      />
      <circle class="strong" cx={84 + b * 130} cy={58 + a * 20} r={7} />
    </>
  ),
  // A planet and its moons.
  orbits: ({ a, b }) => (
    <g transform={`translate(${a * 150 - 75} ${b * 24 - 12}) rotate(${-40 + b * 70} 150 84)`}>
      {range(4).map((i) => (
        <ellipse class="line" cx={150} cy={84} rx={60 + i * (28 + a * 20)} ry={16 + i * (9 + b * 10)} />
      ))}
      <circle class="strong" cx={150} cy={84} r={26 + b * 14} />
      <circle class="soft" cx={150 + 102} cy={84} r={6} />
      <circle class="soft" cx={150 - 138} cy={84} r={4} />
    </g>
  ),
  // Two who overlap.
  pair: ({ a, b }) => (
    <>
      <circle class="soft" cx={116 + a * 18} cy={76 + b * 12} r={54} />
      <circle class="soft" cx={186 - a * 18} cy={76 - b * 12} r={54} />
      <circle class="strong" cx={151} cy={76} r={8 + a * 6} />
    </>
  ),
  // Mountains under a moon.
  peaks: ({ a, b }) => (
    <>
      <circle class="strong" cx={60 + a * 180} cy={48} r={18 + b * 8} />
      <path
        class="faint"
        d={`M-20 220 L${60 + b * 40} 70 L${150 + a * 30} 220Z M${90 + a * 40} 220 L${210 + b * 30} 52 L330 220Z`}
      />
      <path
        class="soft"
        d={`M-30 220 L${20 + a * 90} 118 L${190 + b * 30} 220Z M130 220 L${240 - a * 30} 128 L340 220Z`}
      />
    </>
  ),
  // Everything flies apart.
  rays: ({ a, b }) => (
    <g transform={`translate(${100 + a * 110} ${50 + b * 40}) rotate(${b * 30})`}>
      {range(12).map((i) => (
        <path class={i % 3 === 0 ? "soft" : "faint"} d="M0 0 L400 -26 V26Z" transform={`rotate(${i * 30})`} />
      ))}
      <circle class="strong" r={13} />
    </g>
  ),
  // A film's edge.
  reel: ({ a, b }) => (
    <g transform={`rotate(${-12 + a * 24} 150 80)`}>
      <rect class="faint" x={-60} y={36 + b * 16} width={420} height={84} />
      {range(15).map((i) => (
        <rect class="ground" x={-46 + i * 28} y={43 + b * 16} width={14} height={10} rx={2} />
      ))}
      {range(15).map((i) => (
        <rect class="ground" x={-46 + i * 28} y={103 + b * 16} width={14} height={10} rx={2} />
      ))}
    </g>
  ),
  // A record.
  rings: ({ a, b }) => (
    <g transform={`translate(${70 + a * 170} ${70 + b * 20})`}>
      {range(7).map((i) => (
        <circle class="line" r={30 + i * 17} />
      ))}
      <circle class="soft" r={24} />
      <circle class="strong" r={7} />
    </g>
  ),
  // The sun goes down.
  sun: ({ a, b }) => (
    <>
      <circle class="strong" cx={80 + a * 140} cy={104} r={46 + b * 14} />
      <path
        class="ground"
        d={`M0 104 H${60 + b * 30} l8 -34 h44 l6 34 H${210 + a * 20} l6 -18 h28 l6 18 H300 V220 H0Z`}
      />
      <path class="line" d="M0 122H300M0 138H300M0 160H300" />
    </>
  ),
  // A mouth.
  teeth: ({ a, b }) => (
    <>
      <path
        class="soft"
        d={`M-10 -10 H310 V20 ${range(9)
          .map(
            (i) =>
              `L${288 - i * 36} ${(i % 2 === 0 ? 84 : 60) + ((i * 29 + a * 40) % 26)} L${272 - i * 36} ${14 + b * 10}`,
          )
          .join(" ")}Z`}
      />
      <circle class="strong" cx={150 + (a - 0.5) * 120} cy={128} r={9} />
    </>
  ),
};
