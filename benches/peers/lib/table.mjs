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
export const times = (value) => `${value < 10 ? value.toFixed(2) : value.toFixed(value < 100 ? 1 : 0)}×`;

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
 * @param {readonly (readonly import("./gates.mjs").GateRow[])[]} rounds
 * @returns {Table}
 */
export function gateTable(rounds) {
  const rows = rounds[0].map(({ rows }, place) => {
    const of = (/** @type {"gate" | "bare" | "ratio"} */ figure) => median(rounds.map((round) => round[place][figure]));
    return {
      title: `${rows} membership${rows === 1 ? "" : "s"}`,
      cells: [duration(of("gate")), duration(of("bare")), times(of("ratio"))],
    };
  });
  return { title: "Gate check inside WebAssembly", heads: ["", "gate", "bare look-up", "ratio"], rows };
}
