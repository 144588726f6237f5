// The scale sweep: what must stay flat, and what may grow in proportion. The slope is that of the logarithms: 0 is flat, 1 is
// in proportion.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { duration } from "./table.mjs";

/** Powers of ten. @param {number} from @param {number} to */
const powers = (from, to) => Array.from({ length: to - from + 1 }, (_, n) => 10 ** (from + n));

/**
 * What is asked at which sizes: all of them, and those of a default run.
 * @type {readonly { what: string, title: string, shall: string, whole: number[], usual: number[] }[]}
 */
const SWEEPS = [
  { what: "gate", title: "gate check, by memberships", shall: "flat", whole: powers(0, 6), usual: powers(0, 5) },
  {
    what: "signal beside memberships",
    title: "signal, by memberships",
    shall: "flat",
    whole: powers(0, 6),
    usual: powers(0, 4),
  },
  {
    what: "signal after signals",
    title: "signal, by signals before it",
    shall: "flat",
    whole: powers(4, 7),
    usual: powers(4, 6),
  },
  {
    what: "query over items",
    title: "query, by items",
    shall: "in proportion",
    whole: powers(3, 6),
    usual: powers(3, 5),
  },
  {
    what: "flush after signals",
    title: "flush of 1 000 events, by signals before",
    shall: "flat",
    whole: powers(4, 7),
    usual: powers(4, 6),
  },
  {
    what: "flush of events",
    title: "flush, by new events",
    shall: "in proportion",
    whole: powers(2, 5),
    usual: powers(2, 4),
  },
];

/** Of the line through the logarithms. @param {readonly number[]} sizes @param {readonly number[]} values */
export function slope(sizes, values) {
  const [x, y] = [sizes.map(Math.log), values.map(Math.log)];
  const mean = (/** @type {number[]} */ all) => all.reduce((sum, value) => sum + value, 0) / all.length;
  const [centreX, centreY] = [mean(x), mean(y)];
  const along = x.reduce((sum, value, n) => sum + (value - centreX) * (y[n] - centreY), 0);
  return along / x.reduce((sum, value) => sum + (value - centreX) ** 2, 0);
}

/** @param {string} program @param {string[]} args */
const output = (program, args) =>
  execFileSync(process.execPath, [fileURLToPath(new URL(program, import.meta.url)), ...args], { encoding: "utf8" });

/**
 * @param {string} gate the gate's module
 * @param {boolean} whole
 */
export function sweep(gate, whole) {
  return SWEEPS.map((of) => {
    const sizes = whole ? of.whole : of.usual;
    /** @type {number[]} */
    const values =
      of.what === "gate"
        ? JSON.parse(output("gate-process.mjs", [gate, ...sizes.map(String)])).map(
            (/** @type {{ gate: number }} */ row) => row.gate,
          )
        : sizes.map((size) => Number(output("scale-probe.mjs", [of.what, String(size)])));
    return { title: of.title, shall: of.shall, sizes, values, slope: slope(sizes, values) };
  });
}

/** @param {ReturnType<typeof sweep>} found @returns {import("./table.mjs").Table} */
export const scaleTable = (found) => ({
  title: "Scale: slopes of the logarithms, 0 is flat and 1 in proportion",
  heads: ["", "shall be", "slope", "at each size"],
  rows: found.map(({ title, shall, sizes, values, slope }) => ({
    title,
    cells: [
      shall,
      slope.toFixed(2),
      sizes.map((size, n) => `10^${Math.log10(size).toFixed(0)}: ${duration(values[n])}`).join(", "),
    ],
  })),
});
