// What a strict user writes. The types of the package are checked as well: `skipLibCheck` is off.
import { type Change, type ErrorCode, type Id, type Item, type Outcome, open, restore, TidegateError } from "tidegate";
import { open as openInline } from "tidegate/inline";
import { fileStore } from "tidegate/node";
import { type Answer, live, told } from "../app.mjs";

const films: readonly Item[] = [{ id: "alien", categories: ["sci-fi"], createdAt: new Date(0) }];
const user: Id = "ada";

async function typed(): Promise<Answer> {
  const db = await open({ storage: "memory", signals: { watched: { weight: 3, halfLife: "14d" } }, flushDelay: "1s" });
  const stop = db.on("change", (change: Change) => {
    if (change.type === "membership") console.error(change.membership.epoch.toFixed(0));
  });
  db.upsertItems(films);
  const outcome: Outcome = db.signal({ user, item: 7n, kind: "watched" });
  if (outcome !== "Local") throw new Error(outcome);
  const epoch: number | null = db.membershipEpoch(user, "film-club");
  if (epoch !== null) throw new Error("nobody joined");
  const [best] = db.query({ user, limit: 1 }).items;
  const favourite: string | undefined = best?.id;
  stop();
  const copy = await restore(db.snapshot(), { name: "copy", storage: "memory" });
  if (copy.query({ user, limit: 1 }).items[0]?.id !== favourite) throw new Error("the copy ranks otherwise");
  await Promise.all([db.close(), copy.close()]);
  try {
    // @ts-expect-error: there is no such storage
    await open({ storage: "disk" });
  } catch (error) {
    const code: ErrorCode | undefined = error instanceof TidegateError ? error.code : undefined;
    if (code !== "InvalidArgument") throw error;
  }
  const inlined = await openInline();
  await inlined.close();
  return live(open, { storage: fileStore(process.argv[2] ?? "data") });
}

console.log(await told(typed));
