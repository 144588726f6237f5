// Opens what the page needs: the database, the films, the neighbours.
import { open, restore } from "tidegate";
import { breathe } from "./breathe.ts";
import { loadFilms, toItem } from "./catalogue.ts";
import { Device } from "./device.ts";
import { clear, newName, read, whenWritten, write } from "./kept.ts";
import { seedNeighbours } from "./neighbours.ts";
import { USER } from "./person.ts";

const DATABASE = "database";
/** So many films are made known before the browser gets a turn. */
const AT_ONCE = 200;
/** The one before it. It is deleted at the next visit, when no page of this tab has it open. */
const REPLACED = "replaced";

/** The database that is in use: another one after a snapshot was restored. */
function databaseName(): string {
  const name = read(DATABASE);
  return typeof name === "string" ? name : "tidegate-demo";
}

export async function openDevice(): Promise<Device> {
  whenWritten(DATABASE, () => location.reload());
  const replaced = read(REPLACED);
  if (typeof replaced === "string") indexedDB.deleteDatabase(`tidegate:${replaced}`);
  clear(REPLACED);
  const [db, films] = await Promise.all([open({ name: databaseName(), outbox: true }), loadFilms()]);
  // Items that have not changed are no event: this may be said at every visit.
  const items = Array.from(films.values(), toItem);
  for (let first = 0; first < items.length; first += AT_ONCE) {
    db.upsertItems(items.slice(first, first + AT_ONCE));
    await breathe();
  }
  await seedNeighbours(db, films.values());
  return new Device(db, films);
}

/**
 * Puts a snapshot in the place of the database, and loads the page anew. A snapshot brings back the memberships of its time;
 * what was left since stays left. Rejects, and has changed nothing, where the bytes are no snapshot.
 */
export async function restoreSnapshot(bytes: Uint8Array, device: Device): Promise<void> {
  const name = `tidegate-demo-${newName()}`;
  const restored = await restore(bytes, { name, outbox: true });
  for (const { community, stopForwardAt } of device.memberships) {
    if (stopForwardAt !== null && restored.membership(USER, community) !== null) restored.leave(USER, community);
  }
  if (device.layer.status === "Left") restored.leaveCommunityLayer(USER);
  await restored.close();
  write(REPLACED, databaseName());
  write(DATABASE, name);
  location.reload();
}
