// The clocks of the page.

/** Milliseconds since 1970 with their fraction: the same clock in all tabs. */
export function clock(): number {
  return performance.timeOrigin + performance.now();
}

/** "0.3 ms", "12 ms". */
export function milliseconds(time: number): string {
  return `${time < 10 ? time.toFixed(1) : Math.round(time)} ms`;
}

/** "14:03:27" today, else with the date. */
export function moment(time: number): string {
  const when = new Date(time);
  const today = when.toDateString() === new Date().toDateString();
  return when.toLocaleString(undefined, today ? { timeStyle: "medium" } : { dateStyle: "medium", timeStyle: "short" });
}
