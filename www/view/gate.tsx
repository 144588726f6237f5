// The gate to the community on view: what stands open or closed, and everything that moves it.
import { COHORTS } from "../cohorts.ts";
import type { Device } from "../device.ts";
import type { Kind } from "../diary.ts";
import { SHAREABLE } from "../policy.ts";
import { consequence, GATES, gateOf, since, stateOf } from "../words.ts";
import { GateScene } from "./gate-scene.tsx";
import { MembershipButton } from "./membership-button.tsx";

export function Gate({ device }: { device: Device }) {
  const gate = gateOf(device);
  const row = device.membership();
  const community = device.community;
  const entries = device.diary.entries;
  return (
    <section id="gate" class="gate panel" tabIndex={-1} data-gate={gate} aria-labelledby="gate-title">
      <div class="gate-head">
        <h2 id="gate-title">The gate to {community.name}</h2>
        <p class="gate-state">
          <span class="lamp" aria-hidden="true" />
          {GATES[gate]}
        </p>
      </div>
      <GateScene device={device} />
      <p class="gate-says">{consequence(entries.at(-1), device.diary.tab)}</p>
      <MembershipButton device={device} />
      <p class="quiet">
        Signals that this device has learned from: <b>{device.profile.signals}</b>. The films are from vega-datasets,
        other members are stand-ins made on this device. Nothing leaves your browser.
      </p>
      <dl class="facts">
        <div>
          <dt>State</dt>
          <dd>{stateOf(row)}</dd>
        </div>
        <div>
          <dt>
            <abbr title="One more with every rejoin">Membership epoch</abbr>
          </dt>
          <dd>{row?.epoch ?? "–"}</dd>
        </div>
        <div>
          <dt>Since</dt>
          <dd>{since(row, device.layer)}</dd>
        </div>
      </dl>
      <ShareChoice device={device} />
      <div class="everywhere">
        <LayerSwitch device={device} />
        <CohortChoice device={device} />
      </div>
    </section>
  );
}

function ShareChoice({ device }: { device: Device }) {
  const shares = device.shares;
  const isMember = device.membership()?.stopForwardAt === null;
  const turn = (kind: Kind): void => {
    const kinds = shares.includes(kind) ? shares.filter((other) => other !== kind) : [...shares, kind];
    device.chooseShares(kinds);
  };
  return (
    <fieldset class="shares">
      <legend>{isMember ? "You share" : "You would share"}</legend>
      {SHAREABLE.map(({ kind, name }) => (
        <label key={kind}>
          <input type="checkbox" checked={shares.includes(kind)} onChange={() => turn(kind)} />
          {name}
        </label>
      ))}
    </fieldset>
  );
}

function LayerSwitch({ device }: { device: Device }) {
  const isOn = device.layer.status === "Active";
  return (
    <>
      <button
        type="button"
        class="switch"
        role="switch"
        aria-checked={isOn}
        aria-describedby="layer-about"
        onClick={() => device.setLayer(!isOn)}
      >
        Community layer
        <span class="switch-track" aria-hidden="true" />
      </button>
      <p id="layer-about" class="unseen">
        One switch over every community and cohort. Off, nothing you do counts anywhere.
      </p>
    </>
  );
}

function CohortChoice({ device }: { device: Device }) {
  return (
    <label class="cohort-choice">
      <span>Cohort</span>
      <span class="select">
        <select
          value={device.cohort ?? ""}
          onChange={({ currentTarget }) => device.joinCohort(currentTarget.value === "" ? null : currentTarget.value)}
        >
          <option value="">None</option>
          {COHORTS.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </span>
    </label>
  );
}
