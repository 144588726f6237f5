// The feed: the films that Tidegate ranks first, ranked anew after every signal.
import { Card } from "./card.ts";
import type { Film } from "./catalogue.ts";
import { find, say } from "./dom.ts";
import type { Kind, Session } from "./session.ts";

const PAGE = 12;

/** Shows the feed and keeps it up to date. */
export function showFeed(session: Session, films: Map<string, Film>): void {
  const list = find("feed", HTMLElement);
  const summary = find("feed-summary", HTMLElement);
  const more = find("more", HTMLButtonElement);
  let limit = PAGE;
  let cards = new Map<string, Card>();
  /** The button that the person pressed last; its card may leave with the next ranking. */
  let pressed: { place: number; kind: Kind } | undefined;

  const newCard = (film: Film): Card =>
    new Card(film, (kind) => {
      pressed = { place: [...cards.keys()].indexOf(film.id), kind };
      session.signal(kind, film);
    });

  const render = (): void => {
    const { items, stats } = session.feed(limit);
    const { items: known, signals } = session.profile();
    const own = new Map(known.map(({ id, score }) => [id, score]));
    const next = new Map<string, Card>();
    for (const item of items) {
      const film = films.get(item.id);
      // An earlier catalogue may have had it.
      if (film === undefined) continue;
      const card = cards.get(item.id) ?? newCard(film);
      // Only saving gives a film a score of its own and leaves it unseen.
      card.show(item, (own.get(item.id) ?? 0) > 0);
      next.set(item.id, card);
    }
    cards = next;
    arrange(
      list,
      [...cards.values()].map(({ element }) => element),
    );
    const counts = `${stats.candidates.toLocaleString()} films, ${stats.seen} seen, ${stats.hidden} hidden`;
    say(summary, signals === 0 && !session.gateOpen ? "Newest first, until it knows you" : counts);
    more.hidden = items.length < limit;
    // The card took the focus with it: the one in its place gets it.
    if (pressed !== undefined && document.activeElement === document.body) {
      [...cards.values()][Math.min(pressed.place, cards.size - 1)]?.focus(pressed.kind);
    }
    pressed = undefined;
  };

  more.addEventListener("click", () => {
    limit += PAGE;
    render();
  });
  session.listen(render);
  render();
  list.removeAttribute("aria-busy");
}

/** Makes `elements` the children of `list`, moving as few as it can: an element that moves loses the focus. */
function arrange(list: HTMLElement, elements: HTMLElement[]): void {
  const wanted = new Set<Element>(elements);
  for (const child of Array.from(list.children)) if (!wanted.has(child)) child.remove();
  elements.forEach((element, place) => {
    if (list.children[place] !== element) list.insertBefore(element, list.children[place] ?? null);
  });
}
