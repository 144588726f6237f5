// The gate, drawn: water on both sides of a blade, the higher the more has been said. Each word of the person is a drop that
// comes from the device's side. While the gate is open it goes through; else it stays, and the other side is frozen.
import type { Device } from "../device.ts";
import { counted as hasCounted, lastSignal, tally } from "../diary.ts";

/** Waves of 60, wider than what is seen of them. */
const WAVES = `M-60 93 ${"q15 -9 30 0 t30 0 ".repeat(10)}V200 H-60Z`;
const ICE = "M-60 93H540V200H-60Z";
/** So many words fill a basin. */
const FULL = 8;

export function GateScene({ device }: { device: Device }) {
  const community = device.community;
  const entries = device.diary.entries;
  const { counted, onlyHere } = tally(entries, community.id);
  const isMember = device.membership() !== null;
  const isFrozen = isMember && !device.gateOpen;
  const last = lastSignal(entries);
  const isNew = last !== undefined && last.at > device.openedAt && last.tab === device.diary.tab;
  return (
    <div class="scene" data-member={isMember}>
      <svg viewBox="0 0 480 150" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
        <defs>
          <clipPath id="basin-device">
            <rect y="60" width="212" height="90" />
          </clipPath>
          <clipPath id="basin-community">
            <rect x="268" y="60" width="212" height="90" />
          </clipPath>
          <linearGradient id="flow">
            <stop offset="0" class="flow-device" />
            <stop offset="1" class="flow-community" />
          </linearGradient>
          <pattern id="ice" width="10" height="10" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect class="ice-ground" width="10" height="10" />
            <rect class="ice-line" width="3" height="10" />
          </pattern>
        </defs>
        <g clip-path="url(#basin-device)">
          <g class="level" style={{ transform: `translateY(${level(onlyHere) - 93}px)` }}>
            <path class="water water-device" d={WAVES} />
          </g>
        </g>
        <g clip-path="url(#basin-community)">
          <g class="level" style={{ transform: `translateY(${level(counted) - 93}px)` }}>
            {isFrozen ? <path d={ICE} fill="url(#ice)" /> : <path class="water water-community" d={WAVES} />}
          </g>
        </g>
        <path d={`M212 ${level(onlyHere)}L268 ${level(counted)}V150H212Z`} fill="url(#flow)" />
        {isNew && <circle key={last.id} class={hasCounted(last) ? "drop drop-passes" : "drop drop-stays"} r="8" />}
        <g class="blade">
          <rect x="220" y="62" width="40" height="88" />
          <path d="M220 84h40M220 106h40M220 128h40" />
          <path class="blade-rod" d="M240 62V-30" />
        </g>
        <path class="posts" d="M200 40h80v10h-80zM206 50h14v100h-14zM260 50h14v100h-14z" />
      </svg>
      <p class="tally tally-device">
        <b>{onlyHere}</b> only on this device
      </p>
      <p class="tally tally-community">
        <b>{counted}</b> counted in {community.name}
        {isFrozen && <small>frozen</small>}
      </p>
    </div>
  );
}

/** How high the water stands, in the drawing's units from its top. */
function level(words: number): number {
  return 132 - (Math.min(words, FULL) / FULL) * 58;
}
