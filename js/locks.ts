// Work that one tab does for all.

/** Runs `work` unless another tab is at the same; false where it is. Without Web Locks it always runs. */
export async function unlessBusy(name: string, work: () => Promise<void>): Promise<boolean> {
  const { navigator } = globalThis as { navigator?: Navigator };
  const locks: LockManager | undefined = navigator?.locks;
  if (locks === undefined) {
    await work();
    return true;
  }
  return locks.request(name, { ifAvailable: true }, async (lock) => {
    if (lock === null) return false;
    await work();
    return true;
  });
}
