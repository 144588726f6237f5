// The feed: the films that Tidegate ranks first, ranked anew after every word of the person.
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { cohortName } from "../cohorts.ts";
import type { Device } from "../device.ts";
import type { Kind } from "../diary.ts";
import { type Grounds, reason } from "../reasons.ts";
import { Card, HiddenCard } from "./card.tsx";
import { glide, type Places } from "./glide.ts";
import { useDeviceStored } from "./use-device.ts";
import { useDrawn } from "./use-drawn.ts";

/** A hidden film is hidden for good after so long, in milliseconds, unless Undo has the focus or the pointer. */
const UNDOABLE = 8_000;
/** So many films are drawn first. */
const AT_FIRST = 3;

interface Pressed {
  place: number;
  kind: Kind;
  /** Then no ring is drawn around what has the focus next. */
  byPointer: boolean;
}

export function Feed({ device }: { device: Device }) {
  useDeviceStored(device);
  const whole = useDrawn();
  const list = useRef<HTMLUListElement>(null);
  const places = useRef<Places | null>(null);
  /** The button that was pressed last; its card may leave with the next ranking. */
  const pressed = useRef<Pressed | null>(null);
  const { items, stats } = device.feed;
  const hiding = device.hiding;
  const grounds: Grounds = {
    liked: device.liked,
    saved: device.saved,
    community: device.community.name,
    cohort: cohortName(device.cohort),
    isNew: device.profile.signals === 0 && !device.gateOpen && device.cohort === null,
  };

  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    if (places.current !== null) places.current = glide(element, places.current);
    keepFocus(element, pressed.current);
    pressed.current = null;
  });
  useEffect(() => {
    // When all have been drawn: to look for their places before would lay the page out twice.
    if (whole && list.current !== null) places.current ??= glide(list.current, new Map());
  }, [whole]);
  useEffect(() => {
    if (hiding === null) return;
    const timer = setInterval(() => {
      if (list.current?.querySelector(".hidden-card:hover, .hidden-card :focus-visible") === null) device.hideForGood();
    }, UNDOABLE);
    return () => clearInterval(timer);
  }, [hiding, device]);

  const act = (id: string, press: Pressed): void => {
    const film = device.films.get(id);
    if (film === undefined) return;
    pressed.current = press;
    const { kind } = press;
    if (kind === "hide") device.hide(film);
    else device.signal(kind, film);
  };
  return (
    <section class="films" id="films" tabIndex={-1} aria-labelledby="films-title">
      <div class="films-head">
        <h2 id="films-title">Films for you</h2>
        <p class="quiet">
          {(stats.candidates - stats.seen - stats.hidden).toLocaleString()} films ranked here in{" "}
          {stats.durationMs.toFixed(1)} ms · {stats.seen} seen · {stats.hidden} hidden
        </p>
        {!grounds.isNew && (
          <p class="quiet score-key">
            The bar of a film: what <b class="local">your taste</b> and the <b class="community">community</b> say for
            it. 1.00 fills it.
          </p>
        )}
      </div>
      <ul class="cards" ref={list} aria-label="Films">
        {items.slice(0, whole ? items.length : AT_FIRST).map((item, place) => {
          const film = device.films.get(item.id);
          if (film === undefined) return null;
          return (
            <li key={item.id} class="card" data-film={item.id}>
              {hiding === film ? (
                <HiddenCard
                  film={film}
                  undo={(byPointer) => {
                    pressed.current = { place, kind: "hide", byPointer };
                    device.undoHide();
                  }}
                />
              ) : (
                <Card
                  film={film}
                  item={item}
                  reason={reason(film, item, grounds)}
                  act={(kind, byPointer) => act(item.id, { place, kind, byPointer })}
                />
              )}
            </li>
          );
        })}
      </ul>
      <button type="button" class="button more" onClick={() => device.showMore()}>
        Show more films
      </button>
    </section>
  );
}

/** Where the pressed button went with its card, the one in its place gets the focus. */
function keepFocus(list: HTMLElement, pressed: Pressed | null): void {
  if (pressed === null || (document.activeElement !== document.body && document.activeElement !== null)) return;
  const card = list.children[Math.min(pressed.place, list.children.length - 1)];
  const button = card?.querySelector<HTMLElement>(`.act-${pressed.kind}, .hidden-card button`);
  if (button === null || button === undefined) return;
  // The card with Undo is smaller than the film's: it may lie out of sight.
  button.focus({ preventScroll: button.closest(".hidden-card") === null });
  if (!pressed.byPointer) return;
  button.dataset.ring = "none";
  const again = (): void => {
    delete button.dataset.ring;
  };
  button.addEventListener("keydown", again, { once: true });
  button.addEventListener("blur", again, { once: true });
}
