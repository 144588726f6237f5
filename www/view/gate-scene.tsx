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
const WAVES = `M-60 93 ${"q15 -9 30 0 t30 0 ".repeat(10)}V150 H-60Z`;

export function GateScene({ device, learned, shared }: GateSceneProps) {
  const community = device.community;
  const last = lastSignal(device.diary.entries);
  const isNew = last !== undefined && last.at > device.openedAt && last.tab === device.diary.tab;
  return (
    <div class="scene" data-member={device.membership() !== null}>
      <svg viewBox="0 0 480 150" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
        <defs>
          <clipPath id="basin-device">
            <rect y="70" width="212" height="80" />
          </clipPath>
          <clipPath id="basin-community">
            <rect x="268" y="70" width="212" height="80" />
          </clipPath>
          <linearGradient id="flow">
            <stop offset="0" class="flow-device" />
            <stop offset="1" class="flow-community" />
          </linearGradient>
        </defs>
        <g clip-path="url(#basin-device)">
          <path class="water water-device" d={WAVES} />
        </g>
        <g clip-path="url(#basin-community)">
          <path class="water water-community" d={WAVES} />
        </g>
        <rect class="channel" x="212" y="93" width="56" height="57" fill="url(#flow)" />
        {isNew && (
          <circle key={last.id} class={last.outcome === "Recorded" ? "drop drop-passes" : "drop drop-stays"} r="8" />
        )}
        <g class="blade">
          <rect x="220" y="62" width="40" height="88" />
          <path d="M220 84h40M220 106h40M220 128h40" />
          <path class="blade-rod" d="M240 62V-30" />
        </g>
        <path class="posts" d="M200 40h80v10h-80zM206 50h14v100h-14zM260 50h14v100h-14z" />
      </svg>
      <p class="tally tally-device">
        <b>{learned}</b> learned here
      </p>
      <p class="tally tally-community">
        <b>{shared}</b> counted in {community.name}
      </p>
    </div>
  );
}
