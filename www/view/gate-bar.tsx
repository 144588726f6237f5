// The gate in brief, at the lower edge of narrow screens, so that leaving is always at hand.
import type { Device } from "../device.ts";
import { MembershipButton } from "./membership-button.tsx";

export function GateBar({ device }: { device: Device }) {
  const isOpen = device.gateOpen;
  const { recorded, gated } = device.stats.contributions;
  return (
    <section class="gate-bar" data-gate={isOpen ? "open" : "closed"} aria-label="The gate in brief">
      <a href="#gate">
        <span class="lamp" aria-hidden="true" />
        <span>
          Gate {isOpen ? "open" : "closed"}
          <small>
            {recorded} counted, {gated} kept here
          </small>
        </span>
      </a>
      <MembershipButton device={device} />
    </section>
  );
}
