// The measures of benches/quality: against values worked out by hand, and against a naive implementation.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { best, interval, mean, ndcg, recall } from "../../benches/quality/lib/metrics.mjs";

/** By the definition: the gain of every place, and that of the best order there is. */
function naiveNdcg(ranking: readonly number[], relevant: ReadonlySet<number>): number {
  const gain = (gains: readonly number[]): number =>
    gains.slice(0, 10).reduce((sum, value, index) => sum + value * (Math.LN2 / Math.log(index + 2)), 0);
  const all = [...new Set([...ranking, ...relevant])].map((item) => Number(relevant.has(item)));
  return gain(ranking.map((item) => Number(relevant.has(item)))) / gain(all.sort((a, b) => b - a));
}

function naiveRecall(ranking: readonly number[], relevant: ReadonlySet<number>): number {
  const first = new Set(ranking.slice(0, 10));
  return [...relevant].filter((item) => first.has(item)).length / relevant.size;
}

const rankings = fc.uniqueArray(fc.nat(40), { maxLength: 30 });
const relevants = fc.uniqueArray(fc.nat(40), { minLength: 1, maxLength: 30 }).map((items) => new Set(items));

describe("nDCG@10", () => {
  it("is what it is by hand", () => {
    expect(ndcg([7, 8, 9], new Set([7]))).toBe(1);
    expect(ndcg([8, 7, 9], new Set([7]))).toBeCloseTo(1 / Math.log2(3), 12); // .6309
    expect(ndcg([8, 7, 9], new Set([7, 9]))).toBeCloseTo((0.630_929_753_6 + 0.5) / (1 + 0.630_929_753_6), 9);
    expect(ndcg([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], new Set([10]))).toBe(0);
    expect(ndcg([], new Set([1]))).toBe(0);
    // More than ten are relevant: ten places full of them are all that can be had.
    expect(ndcg([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], new Set(Array.from({ length: 15 }, (_, item) => item)))).toBe(1);
  });

  it("agrees with the naive one", () => {
    fc.assert(
      fc.property(rankings, relevants, (ranking, relevant) => {
        expect(ndcg(ranking, relevant)).toBeCloseTo(naiveNdcg(ranking, relevant), 12);
      }),
    );
  });
});

describe("recall@10", () => {
  it("is what it is by hand", () => {
    expect(recall([1, 2, 3], new Set([3, 4]))).toBe(0.5);
    expect(recall([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], new Set([10]))).toBe(0);
    expect(recall([2, 1], new Set([1, 2]))).toBe(1);
  });

  it("agrees with the naive one", () => {
    fc.assert(
      fc.property(rankings, relevants, (ranking, relevant) => {
        expect(recall(ranking, relevant)).toBeCloseTo(naiveRecall(ranking, relevant), 12);
      }),
    );
  });
});

describe("the best", () => {
  it("are those of a full sort, without what is left out, equal scores by number", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(5), { maxLength: 40 }), fc.uniqueArray(fc.nat(40)), (scores, without) => {
        const left = scores.map((_, item) => item).filter((item) => !without.includes(item));
        const sorted = left.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
        expect(best(scores, new Set(without))).toEqual(sorted.slice(0, 10));
      }),
    );
  });
});

describe("the interval of a mean", () => {
  it("is the same every time, holds the mean, and is as wide as the normal distribution has it", () => {
    const values = Array.from({ length: 400 }, (_, index) => (index * 37) % 100);
    const [from, to] = interval(values);
    expect([from, to]).toEqual(interval(values));
    const deviation = Math.sqrt(mean(values.map((value) => (value - mean(values)) ** 2)) / values.length);
    expect(from).toBeLessThan(mean(values));
    expect((to - from) / (2 * 1.96 * deviation)).toBeCloseTo(1, 1);
  });

  it("of equal values is that value", () => {
    expect(interval([3, 3, 3])).toEqual([3, 3]);
  });
});
