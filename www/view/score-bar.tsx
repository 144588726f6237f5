// A film's score: how much each side has to say for it. A score of 1 fills the bar; a higher one fills it in proportion.
import type { RankedItem } from "tidegate";
import { decimal } from "../words.ts";

export function ScoreBar({ item }: { item: RankedItem }) {
  const parts = [
    { side: "local", name: "your taste", score: item.local },
    { side: "community", name: "community", score: item.community },
    { side: "cohort", name: "cohort", score: item.cohort },
  ];
  // What counts against a film shows as a number only.
  const full = Math.max(
    parts.reduce((sum, { score }) => sum + Math.max(score, 0), 0),
    1,
  );
  const says = parts.some(({ score }) => decimal(score, 2) !== decimal(0, 2));
  const words = parts.map(({ name, score }) => `${name} ${decimal(score, 2)}`).join(", ");
  let before = 0;
  return (
    <div class="score" role="img" aria-label={`Score ${decimal(item.score, 2)}: ${words}`}>
      {says && (
        <>
          <svg class="score-bar" width="100%" height="8" aria-hidden="true">
            {parts.map(({ side, score }) => {
              const share = Math.max(score, 0) / full;
              before += share;
              return <rect key={side} class={side} x={percent(before - share)} width={percent(share)} height="8" />;
            })}
          </svg>
          <span class="score-parts" aria-hidden="true">
            {parts.map(
              ({ side, name, score }) =>
                (side !== "cohort" || score !== 0) && (
                  <span key={side} class={side}>
                    {name} <b>{decimal(score, 2)}</b>
                  </span>
                ),
            )}
          </span>
        </>
      )}
    </div>
  );
}

function percent(part: number): string {
  return `${(part * 100).toFixed(1)}%`;
}
