// The time line's scale: piecewise linear, and a pause longer than a while takes no more room than that. Else yesterday's
// minute and today's would be a dot each, with a night between them.

/** Milliseconds; a longer pause is cut to it. */
const PAUSE = 12_000;

/** A scale; places are shares of the width, 0 … 1. */
export interface TimeScale {
  place(time: number): number;
  /** Where something was cut out, and how long it was, in milliseconds. */
  cuts: { place: number; length: number }[];
}

/** A scale for what happened at these times, until now. */
export function timeScale(times: readonly number[], now: number): TimeScale {
  const stops = [...times.filter((time) => time < now), now].sort((a, b) => a - b);
  const widths = stops.map((stop, i) => Math.min(PAUSE, stop - (stops[i - 1] ?? stop)));
  const ends: number[] = [];
  for (const width of widths) ends.push((ends.at(-1) ?? 0) + width);
  // A moment is not blown up to the whole width.
  const whole = Math.max(ends.at(-1) ?? 0, PAUSE);

  const place = (time: number): number => {
    const after = stops.findIndex((stop) => stop >= time);
    if (after === -1) return (ends.at(-1) ?? 0) / whole;
    const [stop = 0, end = 0, width = 0] = [stops[after], ends[after], widths[after]];
    const gap = stop - (stops[after - 1] ?? stop);
    return Math.max(0, end - (gap > 0 ? ((stop - time) / gap) * width : 0)) / whole;
  };
  const cuts = stops.flatMap((stop, i) => {
    const length = stop - (stops[i - 1] ?? stop);
    const isLast = i === stops.length - 1;
    return length > 5 * PAUSE && !isLast ? [{ place: ((ends[i] ?? 0) - PAUSE / 2) / whole, length }] : [];
  });
  return { place, cuts };
}
