// A film's score: how much each side has to say for it. A score of 1 fills the bar; a higher one fills it in proportion.
import type { RankedItem } from "tidegate";

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
  const says = parts.some(({ score }) => number(score) !== number(0));
  const words = parts.map(({ name, score }) => `${name} ${number(score)}`).join(", ");
  let before = 0;
  return (
    <div class="score" role="img" aria-label={`Score ${number(item.score)}: ${words}`}>
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
                    {name} <b>{number(score)}</b>
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

/** No "−0.00": rounded first, and a zero has no sign. */
function number(score: number): string {
  return (Math.round(score * 100) / 100 || 0).toFixed(2).replace("-", "−");
}
