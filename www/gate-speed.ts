// How long it takes an app to ask whether the gate is open: `membership(…).contributing`, the public call, from JavaScript. The
// gate itself is checked inside WebAssembly for each signal, which no page can time; that takes a small part of this.

const ROUNDS = 9;
/** Browsers' clocks are coarse: so many milliseconds of calls are timed in each round. */
const LONG_ENOUGH = 4;
const CALLS = 64;

/** Nanoseconds per call without the loop around it: the median of the rounds, so that a disturbed one does not show. */
export async function gateCheck(check: () => boolean): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    times.push(timed(check) - timed(() => false));
    // The page goes on meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  const median = times.sort((a, b) => a - b)[(ROUNDS - 1) / 2] ?? 0;
  return Math.max(median, 0) * 1e6;
}

/** Milliseconds per call. */
function timed(call: () => boolean): number {
  const begun = performance.now();
  let now = begun;
  let calls = 0;
  let yes = 0;
  while (now - begun < LONG_ENOUGH) {
    for (let i = 0; i < CALLS; i++) if (call()) yes++;
    calls += CALLS;
    now = performance.now();
  }
  // What comes of the calls is used, or the engine might leave them out.
  return yes > calls ? 0 : (now - begun) / calls;
}
