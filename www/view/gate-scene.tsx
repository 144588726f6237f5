// The gate, drawn: water on both sides of a blade. Each word of the person is a drop that comes from the device's side. While
// the gate is open it goes through; else it stays.
import type { Device } from "../device.ts";
import { lastSignal } from "../diary.ts";

interface GateSceneProps {
  device: Device;
  /** How many words the device has learned from. */
  learned: number;
  /** How many of them count in the community. */
  shared: number;
}

/** Waves of 60, wider than what is seen of them. */
const WAVES = `M-60 12 ${"q15 -9 30 0 t30 0 ".repeat(6)}V80 H-60Z`;

export function GateScene({ device, learned, shared }: GateSceneProps) {
  const community = device.community.value;
  const last = lastSignal(device.diary.entries.value);
  const isNew = last !== undefined && last.at > device.openedAt && last.tab === device.diary.tab;
  return (
    <div class="scene" data-member={device.membership.value !== null}>
      <svg viewBox="0 0 480 150" aria-hidden="true">
        <svg x="0" y="80" width="218" height="70" class="basin basin-device">
          <path class="water" d={WAVES} />
        </svg>
        <svg x="262" y="80" width="218" height="70" class="basin basin-community">
          <path class="water" d={WAVES} />
        </svg>
        <rect class="channel" x="218" y="92" width="44" height="58" />
        {isNew && (
          <circle key={last.id} class={last.outcome === "Recorded" ? "drop drop-passes" : "drop drop-stays"} r="8" />
        )}
        <g class="blade">
          <rect x="229" y="58" width="22" height="92" rx="2" />
          <path d="M229 76h22M229 94h22M229 112h22M229 130h22" />
        </g>
        <path class="posts" d="M214 26h52v12h-52zM217 38h12v112h-12zM251 38h12v112h-12z" />
      </svg>
      <p class="tally tally-device">
        <b>{learned}</b> learned on this device
      </p>
      <p class="tally tally-community">
        <b>{shared}</b> of yours counted in {community.name}
      </p>
    </div>
  );
}
