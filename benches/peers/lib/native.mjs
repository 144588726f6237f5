// The same core as native Rust: a process that takes the same steps, on the same data out of a file.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pack } from "../peers/fast/bytes.mjs";
import { people, SPARE } from "./actor.mjs";
import { processRunner } from "./lockstep.mjs";
import { makeWorkload } from "./workload.mjs";

/**
 * Writes the data once; what comes back starts a process on it.
 * @param {string} program
 * @param {string} folder
 * @param {import("./actor.mjs").Sizes} sizes
 */
export function nativeRunner(program, folder, sizes) {
  const files = /** @type {const} */ (["solo", "crowd"]).map((data) => {
    const workload = makeWorkload({ items: sizes.items, signals: sizes.signals + SPARE, ...people(data) });
    const { catalogue, signals, categoryNames, userIds, communityIds, communityOf } = workload;
    const { vectors, starts, categories, creators, createdAt } = catalogue;
    const { users, communities, items, kinds, at, now } = signals;
    const file = join(folder, `${data}.bin`);
    const columns = [vectors, starts, categories, creators, createdAt, users, communities, items, kinds, at, now];
    writeFileSync(file, pack({ categoryNames, userIds, communityIds, communityOf }, columns));
    return file;
  });
  return () => processRunner("native", program, [...files, JSON.stringify(sizes)]);
}
