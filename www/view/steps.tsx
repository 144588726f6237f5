// The first minute: three things to try, ticked off as they are done.
import { useState } from "preact/hooks";
import type { Device } from "../device.ts";
import type { Entry } from "../diary.ts";
import { read, write } from "../kept.ts";
import { Icon } from "./icon.tsx";

const STEPS = [
  { name: "Like something", why: "It teaches this device, and the feed is ranked anew.", isDone: liked },
  { name: "Join a community", why: "From now on your likes count there, too.", isDone: joined },
  { name: "Leave, and keep liking", why: "In the gate, the count on the right stops.", isDone: keptOn },
];

export function Steps({ device }: { device: Device }) {
  const [isPutAway, putAway] = useState(read("steps") === "away");
  if (isPutAway) return null;
  const entries = device.diary.entries;
  const done = STEPS.map(({ isDone }) => isDone(entries));
  const next = done.indexOf(false);
  return (
    <section class="steps" aria-label="The first minute">
      <ol>
        {STEPS.map(({ name, why }, place) => (
          <li key={name} data-done={done[place]} aria-current={place === next ? "step" : undefined}>
            <span class="step-mark" aria-hidden="true">
              {done[place] ? <Icon name="done" /> : place + 1}
            </span>
            <span>
              <b>{name}</b>
              {done[place] && <span class="unseen"> (done)</span>}
              <small>{why}</small>
            </span>
          </li>
        ))}
      </ol>
      {next === -1 && (
        <p class="steps-end">Next, if you like: rejoin, then replay the old events. The gate refuses each.</p>
      )}
      <button
        type="button"
        class="icon-button"
        aria-label="Put these steps away"
        onClick={() => {
          write("steps", "away");
          putAway(true);
        }}
      >
        <Icon name="close" />
      </button>
    </section>
  );
}

function liked(entries: readonly Entry[]): boolean {
  return entries.some((entry) => entry.what === "signal" && entry.kind === "like");
}

function joined(entries: readonly Entry[]): boolean {
  return entries.some(({ what }) => what === "join" || what === "rejoin");
}

function keptOn(entries: readonly Entry[]): boolean {
  return entries.some((entry) => entry.what === "signal" && entry.outcome === "Left");
}
