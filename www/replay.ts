// Replay: what counted under an earlier membership is offered again, one event at a time, as another device of the person
// would send it late. The gate refuses each: it reads the epoch that the event carries, not the time or the sender.
import { type ImportReport, open, type Tidegate } from "tidegate";
import { clock } from "./clock.ts";
import { counted, type Entry, type News, type SignalEntry } from "./diary.ts";
import { USER } from "./person.ts";

/** So many events are offered at most: the newest. */
const MOST = 12;

/** What counted in the community before the membership of now, newest last. */
export function oldEvents(entries: readonly Entry[], community: string, epoch: number, left: boolean): SignalEntry[] {
  const isOld = (entry: SignalEntry): boolean =>
    entry.community === community && entry.epoch !== null && (left ? entry.epoch <= epoch : entry.epoch < epoch);
  return entries.filter(counted).filter(isOld).slice(-MOST);
}

/** Offers them again. */
export async function replay(db: Tidegate, entries: readonly Entry[], community: string): Promise<ReplayNews[]> {
  const row = db.membership(USER, community);
  if (row === null) return [];
  const old = oldEvents(entries, community, row.epoch, row.stopForwardAt !== null);
  const late = await open({ name: "a device that was away", storage: "memory", outbox: true });
  let sent: string | undefined;
  const send = (): ImportReport => {
    const { bytes, cursor } = late.exportEvents({
      communities: [community],
      ...(sent === undefined ? {} : { since: sent }),
    });
    sent = cursor;
    return db.importEvents(bytes);
  };
  const refused: ReplayNews[] = [];
  for (const { kind, at, epoch, film, item } of old) {
    // Its own memberships, up to that epoch.
    late.join(USER, community);
    while ((late.membershipEpoch(USER, community) ?? 0) < (epoch ?? 0)) {
      late.leave(USER, community);
      late.rejoin(USER, community);
    }
    send();
    late.signal({ user: USER, item, kind, at, community });
    const { staleEpoch, gated } = send();
    const outcome = staleEpoch > 0 ? "StaleEpoch" : gated > 0 ? "Gated" : "Counted";
    refused.push({ what: "replay", at: clock(), kind, film, item, community, outcome, epoch: epoch ?? 0 });
  }
  await late.close();
  return refused;
}

type ReplayNews = Extract<News, { what: "replay" }>;
