// The time line: a lane for each community, its membership epochs as bands, what the person said as dots. Where a gate closes a
// band ends in an edge, and no dot behind it is filled.
import { useEffect, useState } from "preact/hooks";
import { moment } from "../clock.ts";
import { COMMUNITIES } from "../communities.ts";
import type { Device } from "../device.ts";
import { type Lane, lane, layerOff } from "../lanes.ts";
import { type TimeScale, timeScale } from "../time-scale.ts";

export function TimeLine({ device }: { device: Device }) {
  const now = useNow();
  const entries = device.diary.entries;
  const chosen = device.community;
  const lanes = COMMUNITIES.map(({ id, name }) => ({ id, name, ...lane(entries, id, device.membership(id)) }));
  const shown = lanes.filter(({ id, bands, dots }) => id === chosen.id || bands.length + dots.length > 0);
  const off = layerOff(entries);
  const times = shown.flatMap(({ bands, dots }) => [
    ...bands.flatMap(({ from, until }) => (until === null ? [from] : [from, until])),
    ...dots.map(({ at }) => at),
  ]);
  const scale = timeScale(times, now);
  return (
    <figure class="time-line panel" aria-labelledby="time-line-title">
      <h2 id="time-line-title">What crossed the gate</h2>
      {shown.map(({ id, name, bands, dots }) => (
        <div key={id} class="lane" data-chosen={id === chosen.id}>
          <span class="lane-name">{name}</span>
          <LaneTrack name={name} lane={{ bands, dots }} off={off} scale={scale} now={now} />
        </div>
      ))}
      <div class="lane axis" aria-hidden="true">
        <span class="lane-name" />
        <svg width="100%" height="16" aria-hidden="true">
          {times.length > 0 && (
            <text x={x(scale.place(Math.min(...times)))} y="12">
              {moment(Math.min(...times))}
            </text>
          )}
          {scale.cuts.map(({ place, length }) => (
            <text key={place} class="cut" x={x(place)} y="12" text-anchor="middle">
              ⋯ {pause(length)}
            </text>
          ))}
          <text x="100%" y="12" text-anchor="end">
            now
          </text>
        </svg>
      </div>
      <p class="legend" aria-hidden="true">
        <span class="key key-counted">counted</span>
        <span class="key key-kept">only on this device</span>
        <span class="key key-refused">replayed, refused</span>
        <span class="key key-edge">gate closes</span>
      </p>
    </figure>
  );
}

interface LaneTrackProps {
  name: string;
  lane: Lane;
  off: { from: number; until: number | null }[];
  scale: TimeScale;
  now: number;
}

function LaneTrack({ name, lane: { bands, dots }, off, scale, now }: LaneTrackProps) {
  const { place } = scale;
  return (
    <svg class="track" width="100%" height="40" role="img" aria-label={`${name}: ${inWords({ bands, dots })}`}>
      <line class="ground" x1={x(0)} x2={x(1)} y1="26" y2="26" />
      {bands.map(({ epoch, from, until }) => (
        <g key={epoch}>
          <rect
            class={epoch % 2 === 0 ? "band" : "band band-odd"}
            x={x(place(from))}
            width={width(place(until ?? now) - place(from))}
            y="2"
            height="36"
            rx="3"
          />
          {place(until ?? now) - place(from) > 0.04 && (
            <text class="band-name" x={x(place(from))} dx="5" y="13">
              {place(until ?? now) - place(from) > 0.2 && "epoch "}
              {epoch}
            </text>
          )}
        </g>
      ))}
      {off.map(({ from, until }) => (
        <rect
          key={from}
          class="off"
          x={x(place(from))}
          width={width(place(until ?? now) - place(from))}
          y="4"
          height="26"
        />
      ))}
      {bands.map(
        ({ epoch, until }) =>
          until !== null && <rect key={epoch} class="edge" x={x(place(until))} width="4" y="0" height="40" rx="1" />,
      )}
      {dots.map(({ at, fate }, i) =>
        fate === "refused" ? (
          // They come at one moment: one below the other.
          <text key={i} class="cross" x={x(place(at))} y={22 + (i % 3) * 8} text-anchor="middle">
            ×
          </text>
        ) : (
          <circle key={i} class={`dot dot-${fate}`} cx={x(place(at))} cy="26" r="5" />
        ),
      )}
    </svg>
  );
}

/** The lane for who does not see it. */
function inWords({ bands, dots }: Lane): string {
  const last = bands.at(-1);
  const many = (fate: string): number => dots.filter((dot) => dot.fate === fate).length;
  const state =
    last === undefined ? "never joined" : `epoch ${last.epoch}, gate ${last.until === null ? "open" : "closed"}`;
  return `${state}; ${many("counted")} counted, ${many("kept")} only on this device, ${many("refused")} replayed and refused`;
}

/** A place on the track, which has a margin on both sides. */
function x(place: number): string {
  return `${(2 + place * 95).toFixed(2)}%`;
}

function width(part: number): string {
  return `${Math.max(part * 95, 0).toFixed(2)}%`;
}

/** "3 h". */
function pause(length: number): string {
  const minutes = length / 60_000;
  if (minutes < 60) return `${Math.round(minutes)} min`;
  return minutes < 60 * 36 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} d`;
}

/** The time, each second while the page is in sight. */
function useNow(): number {
  const [, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setTick((tick) => tick + 1);
    }, 1000);
    return () => clearInterval(timer);
  }, []);
  return Date.now();
}
