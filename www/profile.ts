// The profile: what this device has learned of the person, and shares with nobody.
import { find, make, say } from "./dom.ts";
import type { Session } from "./session.ts";

/** How many genres are shown. */
const TOP = 4;

/** Shows the profile and keeps it up to date. */
export function showProfile(session: Session): void {
  const counts = find("profile-counts", HTMLElement);
  const genres = find("profile-genres", HTMLElement);
  const render = (): void => {
    const { signals, seen, hidden, categories } = session.profile();
    say(counts, `${signals} ${signals === 1 ? "signal" : "signals"}, ${seen} seen, ${hidden.length} hidden`);
    const liked = categories.filter(({ score }) => score > 0).slice(0, TOP);
    const most = liked[0]?.score ?? 1;
    genres.replaceChildren(
      ...liked.map(({ name, score }) => {
        const bar = make("span", { class: "bar", "aria-hidden": "true" });
        bar.style.width = `${(score / most) * 100}%`;
        return make(
          "li",
          {},
          make("span", { class: "name" }, name),
          make("span", { class: "score" }, score.toFixed(1)),
          bar,
        );
      }),
    );
  };
  session.listen(render);
  render();
}
