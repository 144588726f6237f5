// Cards glide to their new places, so that one sees what a word has changed.

/** Where cards were, by film. */
export type Places = Map<string, { left: number; top: number }>;

const still = matchMedia("(prefers-reduced-motion: reduce)");
const TIMING = { duration: 280, easing: "cubic-bezier(.2, .8, .2, 1)" };

/** Moves the cards of a list from where they were; returns where they are. */
export function glide(list: HTMLElement, before: Places): Places {
  const cards = Array.from(list.children).filter((card) => card instanceof HTMLElement);
  const now: Places = new Map(
    cards.map(({ dataset, offsetLeft: left, offsetTop: top }) => [dataset.film ?? "", { left, top }]),
  );
  const kept = [...now.keys()].filter((film) => before.has(film)).length;
  // Where most of them are others, as after a leave, nothing is to be followed.
  if (still.matches || kept < now.size / 2) return now;
  for (const card of cards) {
    const { left, top } = now.get(card.dataset.film ?? "") ?? { left: 0, top: 0 };
    const was = before.get(card.dataset.film ?? "");
    // What nobody sees need not move.
    if (card.getBoundingClientRect().top > innerHeight) continue;
    if (was === undefined) card.animate([{ opacity: 0 }, { opacity: 1 }], TIMING);
    else if (was.left !== left || was.top !== top) {
      const from = `translate(${was.left - left}px, ${was.top - top}px)`;
      card.animate([{ transform: from }, { transform: "none" }], TIMING);
    }
  }
  return now;
}
