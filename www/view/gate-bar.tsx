// The gate in brief, at the lower edge of narrow screens, so that leaving is always at hand.
import type { Device } from "../device.ts";
import { tally } from "../diary.ts";
import { gateOf } from "../words.ts";
import { Icon } from "./icon.tsx";
import { MembershipButton } from "./membership-button.tsx";

export function GateBar({ device }: { device: Device }) {
  const gate = gateOf(device);
  const { counted, onlyHere } = tally(device.diary.entries, device.community.id);
  return (
    <section class="gate-bar" data-gate={gate} aria-label="The gate in brief">
      <a href="#gate">
        <span class="lamp" aria-hidden="true" />
        <span>
          {gate === "never" ? "Nothing shared" : `Gate ${gate}`}
          <small>{counted} counted</small>
          <small>{onlyHere} only on this device</small>
        </span>
        <Icon name="to" />
      </a>
      <MembershipButton device={device} />
    </section>
  );
}
