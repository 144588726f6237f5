// The bars: how fast the product shall be beside its peers. They are reported, met or not; nothing fails because of them.
import { median, pairedRatio, times } from "./table.mjs";

/** @typedef {import("./lockstep.mjs").Samples} Samples */

/**
 * @typedef {object} Bar
 * @property {string} title
 * @property {string} asked
 * @property {string} seen
 * @property {boolean} met
 */

/**
 * @typedef {object} Measured
 * @property {Samples} node
 * @property {Samples} [chromiumStore]
 * @property {readonly (readonly import("./gate.mjs").GateRow[])[]} gate
 */

/**
 * How many times as long the left one takes as the right one.
 * @param {Samples} samples
 * @param {[step: string, name: string]} left
 * @param {[step: string, name: string]} right
 */
function timesAs(samples, [leftStep, left], [rightStep, right]) {
  const [a, b] = [samples[leftStep]?.[left]?.time, samples[rightStep]?.[right]?.time];
  return a === undefined || b === undefined ? undefined : pairedRatio(a, b);
}

/**
 * @param {string} title
 * @param {number | undefined} value
 * @param {"least" | "most"} side
 * @param {number} bar
 * @param {(value: number) => string} [shown]
 * @returns {Bar[]}
 */
function bar(title, value, side, bar, shown = times) {
  if (value === undefined || Number.isNaN(value)) return [];
  const met = side === "least" ? value >= bar : value <= bar;
  return [{ title, asked: `${side === "least" ? "≥" : "≤"} ${shown(bar)}`, seen: shown(value), met }];
}

/** Faster than a peer by so much. @param {Samples} samples @param {string} step @param {string} name @param {number} factor */
const faster = (samples, step, name, factor) =>
  bar(`${step}, against ${name}`, timesAs(samples, [step, name], [step, "tidegate"]), "least", factor);

/** @param {Samples} samples @param {string} step @param {number} factor */
const nearNative = (samples, step, factor) =>
  bar(`${step}, against native`, timesAs(samples, [step, "tidegate"], [step, "native"]), "most", factor);

const bytes = (/** @type {number} */ value) => `${value.toFixed(1)} B`;

/**
 * @param {Measured} measured
 * @returns {Bar[]}
 */
export function bars({ node, gate, chromiumStore = {} }) {
  const ours = (/** @type {string} */ step, /** @type {string} */ value) => node[step]?.tidegate?.[value];
  const [slow, half] = [ours("query", "p99"), ours("query", "time")];
  const [event, accumulator] = [ours("flush", "bytes"), ours("snapshot", "each")];
  const stored = (/** @type {string} */ durability) =>
    timesAs(chromiumStore, ["stored", `dexie ${durability}`], ["stored", `tidegate ${durability}`]);
  return [
    ...(gate[0] ?? []).flatMap(({ rows }, place) =>
      bar(
        `gate, ${rows} memberships, against a bare look-up`,
        median(gate.map((round) => round[place].ratio)),
        "most",
        1.2,
      ),
    ),
    ...faster(node, "open", "tuned", 2),
    ...faster(node, "open", "plain", 10),
    ...["tinybase", "loro", "sqlite"].flatMap((name) => faster(node, "open", name, 50)),
    ...faster(node, "gated", "tuned", 3),
    ...faster(node, "gated", "plain", 10),
    ...bar(
      "string ids, against integers",
      timesAs(node, ["open-string", "tidegate"], ["open", "tidegate"]),
      "most",
      1.5,
    ),
    ...faster(node, "query", "tuned", 3),
    ...faster(node, "query", "forward", 1.5),
    ...faster(node, "query", "plain", 40),
    ...bar("query, p99 against p50", slow && half && pairedRatio(slow, half), "most", 2),
    ...faster(node, "snapshot", "tuned", 2.5),
    ...faster(node, "snapshot", "plain", 40),
    ...faster(node, "restore", "tuned", 1.5),
    ...nearNative(node, "open", 1.3),
    ...nearNative(node, "query", 1.6),
    ...nearNative(node, "restore", 2),
    ...bar("bytes a logged event", event && median(event) / 1_000, "most", 16, bytes),
    ...bar("bytes an accumulator in the snapshot", accumulator && median(accumulator), "most", 24, bytes),
    ...bar("1 000 events into IndexedDB, Chromium, against Dexie, strict", stored("strict"), "least", 1),
    ...bar("1 000 events into IndexedDB, Chromium, against Dexie, relaxed", stored("relaxed"), "least", 1),
  ];
}
