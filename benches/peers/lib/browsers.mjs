// Rounds in real Chromium and Firefox: the peers that run there alike, and what stores events in IndexedDB.
import { KEEPER_NAMES } from "../browser/names.mjs";
import { browserRunner, servePeers } from "./browser.mjs";
import { runRounds } from "./lockstep.mjs";
import { gateTable, ratios } from "./table.mjs";

const IN_PAGES = ["tidegate", "plain", "tuned", "forward"];
/** @type {readonly import("./steps.mjs").Step[]} */
const STORED = [{ key: "stored", title: "1 000 new events into IndexedDB", act: "flush" }];
/** Compared with the product's own background flush. */
const KEEPERS = ["tidegate relaxed", ...KEEPER_NAMES.filter((name) => name !== "tidegate relaxed")];

/**
 * @param {object} options
 * @param {number} options.rounds
 * @param {readonly import("./steps.mjs").Step[]} options.steps
 * @param {import("./actor.mjs").Sizes} options.sizes
 * @param {readonly { name: string, label: string }[]} options.peers
 * @param {(text: string) => void} options.say
 * @param {(table: import("./table.mjs").Table) => void} options.show
 */
export async function browserRounds({ rounds, steps, sizes, peers, say, show }) {
  const page = await servePeers();
  // A third of the signals: browsers are started anew for each peer and round, and that is long enough.
  const sizesThere = { ...sizes, signals: Math.min(sizes.signals, 100_000), queries: Math.min(sizes.queries, 60) };
  /** @type {Record<string, { version: string, peers: import("./lockstep.mjs").Rounds, store: import("./lockstep.mjs").Rounds }>} */
  const found = {};
  try {
    for (const browser of /** @type {const} */ (["chromium", "firefox"])) {
      let version = "";
      const start = async (/** @type {readonly string[]} */ names) => {
        const runners = [];
        for (const name of names) runners.push(await browserRunner(browser, page.address, name, sizesThere));
        version = runners[0].version;
        return runners;
      };
      const inPages = await runRounds({ rounds, steps, reference: "tidegate", start: () => start(IN_PAGES), say });
      const title = `In ${browser} ${version}`;
      const shown = peers.filter(({ name }) => IN_PAGES.includes(name));
      show(ratios(`${title}: times, and how many times as long each peer takes`, inPages, steps, shown));
      const store = await runRounds({ rounds, steps: STORED, reference: "", start: () => start(KEEPERS), say });
      const keepers = KEEPERS.map((name) => ({ name, label: name }));
      show(ratios(`${title}, stored: times as long as Tidegate's own flush after its delay`, store, STORED, keepers));
      const gate = [];
      for (let round = 0; round < rounds; round++) {
        const [runner] = await start(["gate"]);
        gate.push(/** @type {import("./gate.mjs").GateRow[]} */ (/** @type {unknown} */ (await runner.ask({}))));
        await runner.end();
      }
      show(gateTable(gate, `${browser} ${version}`));
      found[browser] = { version, peers: inPages, store };
    }
  } finally {
    await page.close();
  }
  return found;
}
