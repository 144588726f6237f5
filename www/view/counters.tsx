// Counters of the machine.
import { useEffect, useState } from "preact/hooks";
import type { Device } from "../device.ts";
import { gateCheck } from "../gate-speed.ts";
import { keeping, size } from "../words.ts";

export function Counters({ device }: { device: Device }) {
  const { contributions, logPosition } = device.stats;
  const { snapshot } = device.bytes;
  const speed = useGateSpeed(device);
  const counters = [
    {
      name: "Recorded",
      value: String(contributions.recorded),
      about: "Contributions that counted, since this tab was opened",
    },
    {
      name: "Gated",
      value: String(contributions.gated),
      about: "Contributions that the gate kept here, since this tab was opened",
    },
    { name: "Stored", value: size(snapshot), about: "Bytes of the snapshot: films, profile, communities" },
    { name: "Log", value: `${logPosition} rows`, about: "How many rows the log has had" },
    {
      name: "Gate check",
      value: speed === null ? "…" : `${(Math.round(speed / 10) * 10).toLocaleString()} ns`,
      about:
        "One call of membership(…).contributing from JavaScript: a timed loop on this device, minus the empty loop. The check inside the core is a small part of it",
    },
  ];
  return (
    <section class="panel counters" aria-label="Counters">
      <h2>For developers</h2>
      <dl>
        {counters.map(({ name, value, about }) => (
          <div key={name} title={about}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">
        {keeping(device.storing, device.persistent)} “Recorded” and “gated” are the library's words for contributions
        that counted and that the gate kept here, since this tab was opened. Gate check: one{" "}
        <code>membership(…).contributing</code> from JavaScript, the median of many.
      </p>
    </section>
  );
}

/** Measured when the page is idle, and anew whenever the gate moves. */
function useGateSpeed(device: Device): number | null {
  const [speed, setSpeed] = useState<number | null>(null);
  const isOpen = device.gateOpen;
  useEffect(() => {
    const timer = setTimeout(() => void device.measure(gateCheck).then(setSpeed), 600);
    return () => clearTimeout(timer);
  }, [device, isOpen]);
  return speed;
}
