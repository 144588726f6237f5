// What happens: the time line, the replay, the log.
import type { Device } from "../device.ts";
import { EventLog } from "./event-log.tsx";
import { Replay } from "./replay.tsx";
import { TimeLine } from "./time-line.tsx";

export function WhatHappens({ device }: { device: Device }) {
  return (
    <>
      <TimeLine device={device} />
      <Replay device={device} />
      <EventLog entries={device.diary.entries.value} tab={device.diary.tab} />
    </>
  );
}
