// The one gesture that joins, leaves or rejoins: the same button, the same effort, and no question in between.
import type { Device } from "../device.ts";

/** What the button does next. */
export function nextStep(device: Device): "Join" | "Leave" | "Rejoin" {
  const row = device.membership();
  if (row === null) return "Join";
  return row.stopForwardAt === null ? "Leave" : "Rejoin";
}

export function MembershipButton({ device }: { device: Device }) {
  const next = nextStep(device);
  return (
    <button
      type="button"
      class="button primary"
      data-next={next}
      onClick={() => (next === "Leave" ? device.leave() : device.share(device.shares))}
    >
      {next} {device.community.name}
    </button>
  );
}
