// What is told of times that were measured.

/** The time, in milliseconds, that this share of all stays within. */
export function within(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}

/** "p50 1.0 ms, p99 2.0 ms, longest 3.0 ms (100 runs)". */
export function told(times: readonly number[]): string {
  const [p50, p99, longest] = [0.5, 0.99, 1].map((share) => `${within(times, share).toFixed(1)} ms`);
  return `p50 ${p50}, p99 ${p99}, longest ${longest} (${times.length} runs)`;
}
