// How components follow the device.
import { useEffect, useState } from "preact/hooks";
import type { Device } from "../device.ts";

/** What is not stored by then, in milliseconds, is not waited for any more. */
const PATIENCE = 150;

/** Renders the component again after changes. */
export function useDevice(device: Device): void {
  useRender(device, () => undefined);
}

/** The same, when storage has what changed: for what is much work. A page that paints keeps its own storage waiting, and other
 *  tabs with it. */
export function useDeviceStored(device: Device): void {
  useRender(device, () => Promise.race([device.stored, new Promise((resolve) => setTimeout(resolve, PATIENCE))]));
}

function useRender(device: Device, first: () => Promise<unknown> | undefined): void {
  const [, setTurn] = useState(0);
  useEffect(() => {
    const render = (): void => setTurn((turn) => turn + 1);
    return device.watch(() => {
      const waits = first();
      if (waits === undefined) render();
      else void waits.then(render);
    });
  }, [device]);
}
