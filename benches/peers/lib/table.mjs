// From samples to one table of ratios: how many times as long a peer takes as the product, the median over paired rounds.

/** @param {readonly number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * The median of the ratios of paired rounds.
 * @param {readonly number[]} left
 * @param {readonly number[]} right
 */
export const pairedRatio = (left, right) => median(left.map((value, round) => value / right[round]));

/** @param {number} ns */
export function duration(ns) {
  if (ns < 1e3) return `${ns.toFixed(ns < 100 ? 1 : 0)} ns`;
  if (ns < 1e6) return `${(ns / 1e3).toFixed(1)} µs`;
  return `${(ns / 1e6).toFixed(ns < 1e8 ? 2 : 0)} ms`;
}

/** @param {number} value */
export function times(value) {
  if (value < 0.1) return `${value.toPrecision(1)}×`;
  return `${value < 10 ? value.toFixed(2) : value.toFixed(value < 100 ? 1 : 0)}×`;
}

/**
 * @typedef {object} Row
 * @property {string} title
 * @property {string[]} cells
 */

/**
 * @typedef {object} Table
 * @property {string} title
 * @property {string[]} heads
 * @property {Row[]} rows
 */

/**
 * @param {string} title
 * @param {import("./lockstep.mjs").Rounds} rounds
 * @param {readonly import("./steps.mjs").Step[]} steps
 * @param {readonly { name: string, label: string }[]} peers the first is the product
 * @returns {Table}
 */
export function ratios(title, { samples, skipped }, steps, peers) {
  const [product, ...others] = peers;
  const rows = steps.flatMap((step) => {
    const found = samples[step.key];
    const ours = found?.[product.name]?.time;
    if (ours === undefined) return [];
    const cells = others.map(({ name }) => {
      const theirs = found[name]?.time;
      if (theirs !== undefined) return times(pairedRatio(theirs, ours));
      return skipped[step.key]?.[name] === undefined ? "" : "–";
    });
    return [{ title: step.title, cells: [duration(median(ours)), ...cells] }];
  });
  return { title, heads: ["", ...peers.map(({ label }) => label)], rows };
}

/**
 * The same ratios as numbers, for the picture.
 * @param {import("./lockstep.mjs").Rounds} rounds
 * @param {readonly import("./steps.mjs").Step[]} steps
 * @param {readonly { name: string, label: string }[]} peers the first is the product
 * @returns {import("./picture.mjs").Group[]}
 */
export function groups({ samples }, steps, [product, ...others]) {
  return steps.flatMap(({ key, title }) => {
    const ours = samples[key]?.[product.name]?.time;
    if (ours === undefined) return [];
    const cells = others.map(({ name }) => {
      const theirs = samples[key][name]?.time;
      return theirs && pairedRatio(theirs, ours);
    });
    return [{ title, cells }];
  });
}

/** The table as text. @param {Table} table */
export function printed({ title, heads, rows }) {
  const lines = [heads, ...rows.map(({ title, cells }) => [title, ...cells])];
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? "").length)));
  const text = lines.map((line) =>
    widths
      .map((width, column) => (column === 0 ? (line[0] ?? "").padEnd(width) : (line[column] ?? "").padStart(width)))
      .join("  ")
      .trimEnd(),
  );
  return [title, ...text].join("\n");
}

/** The table in Markdown. @param {Table} table */
export const markdown = ({ heads, rows }) =>
  [
    heads,
    heads.map((_, column) => (column === 0 ? "---" : "---:")),
    ...rows.map(({ title, cells }) => [title, ...cells]),
  ]
    .map((line) => `| ${line.join(" | ")} |`)
    .join("\n");

/**
 * @param {readonly (readonly import("./gate.mjs").GateRow[])[]} rounds
 * @param {string} where
 * @returns {Table}
 */
export function gateTable(rounds, where = "Node") {
  const rows = rounds[0].map(({ rows }, place) => {
    const of = (/** @type {"gate" | "bare" | "ratio"} */ figure) => median(rounds.map((round) => round[place][figure]));
    return {
      title: `${rows} membership${rows === 1 ? "" : "s"}`,
      cells: [duration(of("gate")), duration(of("bare")), times(of("ratio"))],
    };
  });
  return { title: `Gate check inside WebAssembly, ${where}`, heads: ["", "gate", "bare look-up", "ratio"], rows };
}

/** @param {number} bytes */
export const kilobytes = (bytes) => (bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} KB` : `${(bytes / 1e6).toFixed(1)} MB`);

/**
 * What a peer weighs: these are figures, not ratios.
 * @param {import("./probes.mjs").Probes} probes
 * @param {Record<string, number>} downloads
 * @param {import("./lockstep.mjs").Samples} samples
 * @param {readonly { name: string, label: string }[]} peers
 * @returns {Table}
 */
export function weights(probes, downloads, samples, peers) {
  const asked = peers.filter(({ name }) => probes[name] !== undefined);
  const of = (/** @type {string} */ title, /** @type {(name: string) => string} */ cell) => ({
    title,
    cells: asked.map(({ name }) => cell(name)),
  });
  const size = (/** @type {string} */ step, /** @type {string} */ value) => (/** @type {string} */ name) => {
    const found = samples[step]?.[name]?.[value];
    return found === undefined ? "–" : kilobytes(median(found));
  };
  return {
    title: "Sizes, and a fresh process",
    heads: ["", ...asked.map(({ label }) => label)],
    rows: [
      of("from import to the first query", (name) => duration(median(probes[name].startup))),
      of("memory of the whole workload", (name) => kilobytes(median(probes[name].memory))),
      of("download, minified, brotli", (name) => kilobytes(downloads[name])),
      of("snapshot", size("snapshot", "bytes")),
      of("a flush of 1 000 events", size("flush", "bytes")),
    ],
  };
}

/** @param {readonly import("./bars.mjs").Bar[]} bars @returns {Table} */
export const barTable = (bars) => ({
  title: "The bars",
  heads: ["", "asked", "seen", ""],
  rows: bars.map(({ title, asked, seen, met }) => ({ title, cells: [asked, seen, met ? "met" : "not met"] })),
});
