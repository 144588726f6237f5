// Which constants the validation split would choose: each is tried at several values, the others as they are.
import { Formula, SHIPPED } from "./formula.mjs";
import { mean, ndcg } from "./metrics.mjs";
import { replay } from "./replay.mjs";

/** What each is tried at. @type {[keyof import("./formula.mjs").Constants, number[]][]} */
const GRID = [
  ["shortHalfLife", [7, 30, 90, 180]],
  ["longHalfLife", [30, 90, 180, 365, 730]],
  ["category", [0.1, 0.2, 0.3, 0.4, 0.6, 0.8]],
  ["chance", [0, 1, 2, 4, 8]],
  ["categoryPower", [0, 0.5, 1]],
  ["vector", [1, 2, 2.5, 3, 4]],
  ["affinityPrior", [2, 4, 8, 16, 32]],
  ["cohort", [0, 0.25, 0.5, 1]],
  ["groupPrior", [5, 10, 20, 50, 100, 200]],
];

/** What is asked: with vectors or without, all known and asked in a community, or at the time and in the cohort too. */
const QUESTIONS = [
  { live: false, vectors: false },
  { live: false, vectors: true },
  { live: true, vectors: false },
  { live: true, vectors: true },
];

/**
 * @param {import("./data.mjs").Data} data
 * @param {{ people: import("./data.mjs").Person[], asked: import("./data.mjs").Person[] }} parts
 * @param {Float64Array[]} vectors
 * @param {(line: string) => void} say
 */
export async function tune(data, parts, vectors, say) {
  const formulas = [false, true].map((live) => new Formula(data, parts, vectors, live));
  const of = (/** @type {import("./formula.mjs").Constants} */ constants) =>
    QUESTIONS.map(({ live, vectors: used }) => formulas[live ? 1 : 0].quality(constants, used, live));
  const shipped = of(SHIPPED);
  for (const [place, { live, vectors: used }] of QUESTIONS.entries()) {
    const setting = { categories: true, community: true, cohort: live, live, vectors: used ? vectors : undefined };
    const rankings = await replay(data, parts.people, parts.asked, setting);
    const product = mean(rankings.map((ranking, asked) => ndcg(ranking, parts.asked[asked].liked)));
    // Sums are added in another order, so that a place may change hands between equals.
    if (Math.abs(product - shipped[place]) > 1e-4) {
      throw new Error(`the formula gives ${shipped[place]} where the product gives ${product}`);
    }
  }
  say("mean nDCG@10 of four questions: without and with vectors, all known or asked at the time with a cohort");
  say(`as shipped: ${mean(shipped).toFixed(4)} (${shipped.map((value) => value.toFixed(4)).join(", ")})`);
  for (const [name, values] of GRID) {
    const tried = values.map((value) => {
      const found = value === SHIPPED[name] ? mean(shipped) : mean(of({ ...SHIPPED, [name]: value }));
      return `${value}: ${found.toFixed(4)}${value === SHIPPED[name] ? "*" : ""}`;
    });
    say(`${name.padEnd(14)}  ${tried.join("  ")}`);
  }
}
