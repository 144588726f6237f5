// The demo page: a film feed that learns on this device, beside a view of what is shared. It uses the public API only.
import { open } from "tidegate";
import { loadFilms, toItem } from "./catalogue.ts";
import { find } from "./dom.ts";
import { showFeed } from "./feed.ts";
import { seedNeighbours } from "./neighbours.ts";
import { showPanel } from "./panel.ts";
import { showProfile } from "./profile.ts";
import { Session } from "./session.ts";

async function start(): Promise<void> {
  const [db, films] = await Promise.all([open({ name: "tidegate-demo" }), loadFilms()]);
  // Items that have not changed are no event: this may be said at every visit.
  db.upsertItems(Array.from(films.values(), toItem));
  seedNeighbours(db, films.values());
  const session = new Session(db);
  showPanel(session);
  showFeed(session, films);
  showProfile(session);
  document.body.dataset.ready = "";
}

start().catch((error: unknown) => {
  console.error(error);
  const problem = find("problem", HTMLElement);
  problem.hidden = false;
  problem.textContent = `This page could not start. ${error instanceof Error ? error.message : error}`;
});
