// The page: the feed, and beside it the machine.
import { useState } from "preact/hooks";
import { milliseconds } from "../clock.ts";
import type { Device } from "../device.ts";
import icon from "../icon.svg";
import { CommunityPicker } from "./community-picker.tsx";
import { Counters } from "./counters.tsx";
import { Feed } from "./feed.tsx";
import { Gate } from "./gate.tsx";
import { GateBar } from "./gate-bar.tsx";
import { Icon } from "./icon.tsx";
import { MachineTabs } from "./machine-tabs.tsx";
import { SavedShelf } from "./saved-shelf.tsx";
import { Steps } from "./steps.tsx";
import { TimeLine } from "./time-line.tsx";
import { useDevice } from "./use-device.ts";
import { useDrawn } from "./use-drawn.ts";

export function Page({ device }: { device: Device }) {
  useDevice(device);
  // What is below the gate comes when the feed has been drawn.
  const whole = useDrawn();
  // The same each time, so that it is rendered when it wants to be.
  const [feed] = useState(() => <Feed device={device} />);
  return (
    <>
      <a class="skip-link" href="#films">
        Skip to the films
      </a>
      <a class="skip-link" href="#gate">
        Skip to the gate
      </a>
      <Header device={device} />
      <div class="layout">
        <main aria-busy={!whole}>
          <Steps device={device} />
          <CommunityPicker device={device} />
          <SavedShelf device={device} />
          {feed}
        </main>
        <aside class="machine" aria-label="The machine">
          <Gate device={device} />
          {whole && (
            <>
              <TimeLine device={device} />
              <Counters device={device} />
              <MachineTabs device={device} />
            </>
          )}
        </aside>
      </div>
      <footer class="quiet">
        The films are those of vega-datasets that 10,000 people have rated. The other members are stand-ins, made on
        your device. Nothing that you do here leaves your browser.
      </footer>
      <GateBar device={device} />
      <Announcer device={device} />
    </>
  );
}

function Header({ device }: { device: Device }) {
  const others = device.tabs.count;
  const heard = device.diary.entries
    .filter(({ what }) => what === "heard" || what === "join" || what === "rejoin")
    .at(-1);
  return (
    <header class="top">
      <h1>
        <img src={icon} alt="" width="32" height="32" />
        Tidegate
      </h1>
      <p class="tagline">A film feed that learns on your device and stops sharing the moment you say so.</p>
      {others > 0 && (
        <p class="quiet tab-count">
          {others + 1} tabs open
          {heard?.what === "heard" &&
            `. Leaving in one closed the gate of the other ${milliseconds(heard.took)} later.`}
        </p>
      )}
      <a class="button second-tab" href="./" target="_blank" rel="noopener">
        Open a second tab <Icon name="out" />
      </a>
    </header>
  );
}

function Announcer({ device }: { device: Device }) {
  return (
    <p class="unseen" role="status" aria-live="polite">
      {device.said}
    </p>
  );
}
