// One film of the feed.
import type { RankedItem } from "tidegate";
import type { Film } from "./catalogue.ts";
import { make } from "./dom.ts";
import type { Kind } from "./session.ts";

const ACTIONS: readonly [Kind, string][] = [
  ["like", "Like"],
  ["save", "Save"],
  ["skip", "Skip"],
  ["hide", "Hide"],
];

/** The score that fills the bar: few films have more. */
const FULL = 1.5;

/** A card. It stays the same element as long as its film is on view, so that focus stays too. */
export class Card {
  readonly element: HTMLElement;
  readonly #local = new Part("local", "Local");
  readonly #community = new Part("community", "Community");
  readonly #buttons: Map<Kind, HTMLButtonElement>;

  constructor(film: Film, act: (kind: Kind) => void) {
    this.#buttons = new Map(ACTIONS.map(([kind, label]) => [kind, button(kind, label, film, act)]));
    this.element = make(
      "article",
      { class: "card", "data-testid": "card", "data-film": film.id, "aria-label": `${film.title}, ${film.year}` },
      make("p", { class: "genre" }, film.genre ?? "No genre"),
      make(
        "div",
        { class: "heading" },
        make("h3", { title: film.title }, film.title),
        make("p", { class: "facts" }, film.director === null ? `${film.year}` : `${film.year} · ${film.director}`),
      ),
      make("p", { class: "rating" }, film.rating === null ? "Not rated" : `IMDb ${film.rating.toFixed(1)}`),
      make("div", { class: "bars", "aria-hidden": "true" }, this.#local.bar, this.#community.bar),
      make("dl", { class: "parts" }, this.#local.row, this.#community.row),
      make("div", { class: "actions" }, ...this.#buttons.values()),
    );
  }

  /** Shows the film's place in the ranking. */
  show({ local, community }: RankedItem, saved: boolean): void {
    this.#local.show(local);
    this.#community.show(community);
    const save = this.#buttons.get("save");
    if (save === undefined) return;
    // Not `disabled`, which would lose the focus.
    save.setAttribute("aria-disabled", String(saved));
    save.textContent = saved ? "Saved" : "Save";
  }

  /** Moves the focus to one of the buttons. */
  focus(kind: Kind): void {
    this.#buttons.get(kind)?.focus({ preventScroll: true });
  }
}

/** A part of the score: a stretch of the bar and a number. */
class Part {
  readonly bar: HTMLElement;
  readonly row: HTMLElement;
  readonly #number: HTMLElement;

  constructor(name: string, label: string) {
    this.bar = make("span", { class: name });
    this.#number = make("dd", { "data-testid": name });
    this.row = make("div", { class: name }, make("dt", {}, label), this.#number);
  }

  show(score: number): void {
    // What counts against a film shows as a number only.
    this.bar.style.width = `${(Math.max(score, 0) / FULL) * 100}%`;
    // No "−0.00": rounded first, and a zero has no sign.
    const rounded = Math.round(score * 100) / 100 || 0;
    this.#number.textContent = rounded.toFixed(2).replace("-", "−");
  }
}

function button(kind: Kind, label: string, film: Film, act: (kind: Kind) => void): HTMLButtonElement {
  const element = make(
    "button",
    { type: "button", "data-testid": kind, "aria-label": `${label} ${film.title}` },
    label,
  );
  element.addEventListener("click", () => {
    if (element.getAttribute("aria-disabled") !== "true") act(kind);
  });
  return element;
}
