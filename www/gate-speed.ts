// How long it takes an app to ask whether the gate is open: `membership(…).contributing`, the public call, from JavaScript. The
// gate itself is checked inside WebAssembly for each signal, which no page can time; that takes a small part of this.

const ROUNDS = 5;
/** Browsers' clocks are coarse: so many milliseconds of calls are timed in each round. */
const LONG_ENOUGH = 8;
const CALLS = 64;

/** Nanoseconds per call without the loop around it, of the fastest round: others were disturbed. */
export async function gateCheck(check: () => boolean): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    times.push(timed(check));
    // The page goes on meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  return (Math.min(...times) - timed(() => false)) * 1e6;
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
