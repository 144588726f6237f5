// Old events, offered again.
import type { Device } from "../device.ts";
import { oldEvents } from "../replay.ts";

export function Replay({ device }: { device: Device }) {
  const row = device.membership();
  const entries = device.diary.entries;
  const { id, name } = device.community;
  const old = row === null ? [] : oldEvents(entries, id, row.epoch, row.stopForwardAt !== null);
  const about =
    old.length === 0
      ? "Like something as a member, then leave: what counted until then can be offered again."
      : `Offers your ${old.length} counted ${old.length === 1 ? "event" : "events"} of before again, as a device that was offline would. Each is refused.`;
  return (
    <div class="replay">
      <button
        type="button"
        class="button"
        aria-disabled={old.length === 0}
        aria-describedby="replay-about"
        onClick={() => {
          if (old.length > 0) void device.replay();
        }}
      >
        Replay old events<span class="unseen"> of {name}</span>
      </button>
      <p id="replay-about" class="quiet">
        {about}
      </p>
    </div>
  );
}
