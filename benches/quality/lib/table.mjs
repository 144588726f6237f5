// The table of results, for the terminal and for documents.

/**
 * @typedef {object} Result
 * @property {string} title
 * @property {number} ndcg mean over users, of the first 10 places
 * @property {[number, number]} interval in which 95 % of that mean's bootstrap lies
 * @property {number} recall
 * @property {number} [bar]
 */

const HEADS = ["method", "nDCG@10", "95 %", "recall@10", "bar", "met?"];

/** @param {Result} result */
function cells({ title, ndcg, interval, recall, bar }) {
  const figure = (/** @type {number} */ value) => value.toFixed(4).slice(1);
  const range = interval.map(figure).join("–");
  const met = bar === undefined ? "" : ndcg >= bar ? "yes" : "no";
  return [title, figure(ndcg), range, figure(recall), bar === undefined ? "" : `≥ ${bar.toFixed(3).slice(1)}`, met];
}

/** @param {readonly Result[]} results */
export function printed(results) {
  const lines = [HEADS, ...results.map(cells)];
  const widths = HEADS.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** @param {readonly Result[]} results */
export function markdown(results) {
  const line = (/** @type {string[]} */ of) => `| ${of.join(" | ")} |`;
  return [line(HEADS), line(HEADS.map(() => "---")), ...results.map((result) => line(cells(result)))].join("\n");
}
