// A clock that tests set, and the constants of the cases.

/** The time at which the cases begin, in milliseconds. */
export const T0 = 1_700_000_000_000;
/** An hour, the half-life of the kind that the cases use. */
export const H = 3_600_000;

/** A clock that stands still until it is moved. */
export class Clock {
  time = T0;
  readonly now = (): number => this.time;
}

/** Lets everything that is due happen: turns of the event loop, until nothing is left that a few of them would change. */
export async function turns(count = 20): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
}
