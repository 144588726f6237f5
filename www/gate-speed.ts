// How long it takes an app to ask whether the gate is open: `membership(…).contributing`, the public call, from JavaScript. The
// gate itself is checked inside WebAssembly for each signal, which no page can time; that takes a small part of this.

/** Browsers' clocks are coarse: so many milliseconds of calls are timed. */
const LONG_ENOUGH = 24;
const CALLS = 256;

/** Nanoseconds per call, without the loop around it. */
export function gateCheck(check: () => boolean): number {
  let calls = 0;
  let open = 0;
  const begun = performance.now();
  let now = begun;
  while (now - begun < LONG_ENOUGH) {
    for (let call = 0; call < CALLS; call++) if (check()) open++;
    calls += CALLS;
    now = performance.now();
  }
  const checked = now - begun;
  const emptyBegun = performance.now();
  const nothing = (): boolean => calls < 0;
  for (let call = 0; call < calls; call++) if (nothing()) open++;
  const empty = performance.now() - emptyBegun;
  return open < 0 ? 0 : ((checked - empty) / calls) * 1e6;
}
