// The panel: how the person stands to the communities, and what became of the last signal.
import type { Membership } from "tidegate";
import { COMMUNITIES } from "./communities.ts";
import { find, make, say } from "./dom.ts";
import { isMember, type Session } from "./session.ts";
import { deed, meaning, reach, standing } from "./words.ts";

/** Shows the panel and keeps it up to date. */
export function showPanel(session: Session): void {
  const badges = showCommunities(session);
  const panel = find("panel", HTMLElement);
  const state = find("state", HTMLElement);
  const epoch = find("epoch", HTMLElement);
  const gate = find("gate", HTMLElement);
  const note = find("standing", HTMLElement);
  const membershipButton = find("membership", HTMLButtonElement);
  const layer = find("layer", HTMLButtonElement);
  const layerNote = find("layer-about", HTMLElement);

  membershipButton.addEventListener("click", () => session.changeMembership());
  layer.addEventListener("click", () => session.setLayer(session.layer.status === "Left"));

  const render = (): void => {
    const membership = session.membership();
    for (const [id, badge] of badges) showBadge(badge, session.membership(id));
    say(state, membership?.state ?? "Not a member");
    say(epoch, membership === null ? "–" : String(membership.epoch));
    say(gate, session.gateOpen ? "Open" : "Closed");
    panel.dataset.gate = session.gateOpen ? "open" : "closed";
    say(note, standing(membership, session.layer));
    say(layerNote, reach(session.layer));
    const next = membership === null ? "Join" : isMember(membership) ? "Leave" : "Rejoin";
    say(membershipButton, `${next} ${session.community.name}`);
    membershipButton.dataset.next = next.toLowerCase();
    layer.setAttribute("aria-checked", String(session.layer.status === "Active"));
    showLast(session);
    showStoring(session);
  };
  session.listen(render);
  render();
}

/** Makes the choice of communities; gives the badge of each. */
function showCommunities(session: Session): Map<string, HTMLElement> {
  const choice = find("communities", HTMLElement);
  const badges = new Map<string, HTMLElement>();
  for (const { id, name } of COMMUNITIES) {
    const radio = make("input", { type: "radio", name: "community", value: id, checked: id === session.community.id });
    const badge = make("span", { class: "badge" });
    radio.addEventListener("change", () => session.choose(id));
    choice.append(make("label", { "data-testid": `community-${id}` }, radio, make("span", {}, name), badge));
    badges.set(id, badge);
  }
  return badges;
}

function showBadge(badge: HTMLElement, membership: Membership | null): void {
  const words = membership === null ? "" : isMember(membership) ? "member" : "left";
  badge.dataset.standing = words;
  say(badge, words);
}

function showLast({ last }: Session): void {
  const outcome = find("outcome", HTMLElement);
  say(outcome, last?.outcome ?? "None yet");
  outcome.dataset.outcome = last?.outcome ?? "";
  say(find("outcome-deed", HTMLElement), last === null ? "Like, save, skip or hide a film." : deed(last));
  say(find("outcome-meaning", HTMLElement), last === null ? "What becomes of it is told here." : meaning(last));
}

function showStoring({ storing, persistent }: Session): void {
  const words = { saving: "Saving …", saved: "Saved on this device", failed: "Could not be saved; will try again" };
  const element = find("storing", HTMLElement);
  element.dataset.storing = storing;
  say(element, persistent ? words[storing] : "This browser keeps nothing after the page is closed");
}
