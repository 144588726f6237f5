// Nothing that Tidegate waits for may hang: what does not settle in time is given up.

/** The work's result, or the error of `late` where it takes longer than `ms` milliseconds. The work is not stopped. */
export function within<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), ms);
    const settled =
      <V>(settle: (value: V) => void) =>
      (value: V) => {
        clearTimeout(timer);
        settle(value);
      };
    work.then(settled(resolve), settled(reject));
  });
}
