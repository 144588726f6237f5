// Cards glide to their new places, so that one sees what a word has changed.

/** Where cards were, by film, and how wide the list was. */
export type Places = Map<string, { left: number; top: number; width: number }>;

const still = matchMedia("(prefers-reduced-motion: reduce)");
const TIMING = { duration: 320, easing: "cubic-bezier(.2, .8, .2, 1)" };

/** Moves the cards of a list from where they were; returns where they are. */
export function glide(list: HTMLElement, before: Places): Places {
  const now: Places = new Map();
  for (const card of Array.from(list.children)) {
    if (!(card instanceof HTMLElement)) continue;
    const { offsetLeft: left, offsetTop: top, offsetWidth: width } = card;
    const id = card.dataset.film ?? "";
    now.set(id, { left, top, width });
    if (still.matches || before.size === 0) continue;
    const was = before.get(id);
    if (was === undefined) card.animate([{ opacity: 0, transform: "scale(.96)" }, { opacity: 1 }], TIMING);
    else if (was.left !== left || was.top !== top) {
      const from = `translate(${was.left - left}px, ${was.top - top}px)`;
      card.animate([{ transform: from }, { transform: "none" }], TIMING);
    }
  }
  return now;
}
