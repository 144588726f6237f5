// What happens: the replay and the log.
import type { Device } from "../device.ts";
import { EventLog } from "./event-log.tsx";
import { Replay } from "./replay.tsx";

export function Events({ device }: { device: Device }) {
  return (
    <>
      <Replay device={device} />
      <EventLog entries={device.diary.entries} tab={device.diary.tab} />
    </>
  );
}
