// Times and durations at the door (R15). Inside, everything is milliseconds since 1970 as a number.
import { invalidArgument, TidegateError } from "./errors.js";

/** 1990-01-01T00:00:00Z, the earliest time that a signal can have. */
export const EARLIEST = 631_152_000_000;
/** How far a signal's time may lie ahead of the host's now. */
const MAX_AHEAD = 86_400_000;
/** The core counts nanoseconds in 64 bits and keeps half of them in reserve. */
const LATEST = 9_223_372_036_854;
/** The longest half-life that 64 bits of nanoseconds can hold. */
const LONGEST = 18_446_744_073_709;

const UNITS: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1_000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);

/** Any finite time, as a number or a Date of any realm. */
export function time(value: unknown, argument: string): number {
  let ms = value;
  if (typeof value === "object" && value !== null) {
    try {
      ms = Date.prototype.getTime.call(value);
    } catch {
      // No Date. Its brand is all that is looked at, so nothing of the caller's has run.
    }
  }
  if (typeof ms !== "number" || !Number.isFinite(ms)) {
    throw new TidegateError("InvalidTimestamp", { argument, message: "milliseconds since 1970 or a Date is expected" });
  }
  return ms;
}

/** Whether a signal can have this time. */
export function isSignalTime(ms: number, now: number): boolean {
  return ms >= EARLIEST && ms <= now + MAX_AHEAD;
}

/** The time of a signal: 1990-01-01 … now + 24 h. */
export function signalTime(value: unknown, now: number, argument: string): number {
  const ms = time(value, argument);
  if (!isSignalTime(ms, now)) {
    const message = "a time in 1990-01-01 … now + 24 h, in milliseconds, is expected";
    throw new TidegateError("InvalidTimestamp", { argument, message });
  }
  return ms;
}

/** The host's clock, clamped into range and never refused: a Date will do, and what is no time counts as the earliest. */
export function hostClock(now: () => number): () => number {
  return () => {
    const ms = Number(now());
    return ms > EARLIEST ? Math.min(ms, LATEST) : EARLIEST;
  };
}

/** A duration in milliseconds to the nanosecond, at least `min`. The core counts nanoseconds, and what it gives back of a
 *  half-life must equal what was given (R19). */
export function duration(value: unknown, min: number, argument: string): number {
  const ms = typeof value === "string" ? parse(value) : value;
  if (typeof ms !== "number" || !(ms >= min && ms <= LONGEST)) {
    throw invalidArgument(argument, `a duration such as 50, "90s" or "7d", ${min === 0 ? "≥ 0" : "> 0"},`);
  }
  const whole = Math.trunc(ms);
  return whole + Math.round((ms - whole) * 1e6) / 1e6;
}

function parse(value: string): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?(?:e[+-]?\d+)?)(ms|s|m|h|d)$/i.exec(value) ?? [];
  const factor = unit === undefined ? undefined : UNITS.get(unit);
  return factor === undefined ? undefined : Number(amount) * factor;
}
