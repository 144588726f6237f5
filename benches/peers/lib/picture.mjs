// A picture of the ratios: bars on a logarithmic scale, one group a step, longer is slower. It follows a light or a dark page.
import { times } from "./table.mjs";

const WIDTH = 860;
const LEFT = 320;
const ROW = 15;
const GAP = 12;
const TOP = 64;
const COLOURS = ["#0f766e", "#b45309", "#2563eb", "#7c3aed", "#be185d", "#4d7c0f", "#0369a1", "#71717a"];

/** @typedef {{ title: string, cells: (number | undefined)[] }} Group how many times as long each peer takes */

/** @param {string} text */
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

/**
 * @param {string} title
 * @param {readonly string[]} labels of the peers, without the product
 * @param {readonly Group[]} groups
 */
export function picture(title, labels, groups) {
  const all = groups.flatMap(({ cells }) => cells).filter((value) => value !== undefined);
  const [least, most] = [Math.min(0.5, ...all), Math.max(2, ...all)].map(Math.log10);
  const x = (/** @type {number} */ value) =>
    LEFT + ((Math.log10(value) - least) / (most - least)) * (WIDTH - LEFT - 60);
  const parts = [];
  let y = TOP;
  for (const { title, cells } of groups) {
    const bars = cells.flatMap((value, peer) =>
      value === undefined ? [] : [{ value, colour: COLOURS[peer % COLOURS.length] }],
    );
    parts.push(
      `<text x="${LEFT - 12}" y="${y + (bars.length * ROW) / 2 + 4}" text-anchor="end">${escaped(title)}</text>`,
    );
    for (const { value, colour } of bars) {
      const [from, to] = [Math.min(x(1), x(value)), Math.max(x(1), x(value))];
      parts.push(
        `<rect x="${from.toFixed(1)}" y="${y}" width="${Math.max(1, to - from).toFixed(1)}" height="${ROW - 4}" rx="2" fill="${colour}"/>`,
        `<text class="small" x="${(to + 5).toFixed(1)}" y="${y + ROW - 6}">${times(value)}</text>`,
      );
      y += ROW;
    }
    y += GAP;
  }
  const legend = labels.map((label, peer) => {
    const [column, line] = [peer % 4, Math.floor(peer / 4)];
    const [left, top] = [16 + column * 210, y + 8 + line * 20];
    return `<rect x="${left}" y="${top}" width="11" height="11" rx="2" fill="${COLOURS[peer % COLOURS.length]}"/><text class="small" x="${left + 17}" y="${top + 10}">${escaped(label)}</text>`;
  });
  const height = y + 20 * Math.ceil(labels.length / 4) + 20;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(title)}">
<style>
text { font: 13px system-ui, sans-serif; fill: #27272a }
.small { font-size: 11px }
.head { font-size: 15px; font-weight: 600 }
.line { stroke: #a1a1aa; stroke-dasharray: 3 3 }
@media (prefers-color-scheme: dark) { text { fill: #e4e4e7 } .line { stroke: #71717a } }
</style>
<text class="head" x="16" y="26">${escaped(title)}</text>
<text class="small" x="16" y="46">Times as long as Tidegate takes; left of the line a peer is faster. Logarithmic.</text>
<line class="line" x1="${x(1).toFixed(1)}" x2="${x(1).toFixed(1)}" y1="${TOP - 8}" y2="${y - GAP}"/>
${parts.join("\n")}
${legend.join("\n")}
</svg>
`;
}
