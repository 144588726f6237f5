// The gate to the community on view: what stands open or closed, and everything that moves it.
import { COHORTS } from "../cohorts.ts";
import type { Device } from "../device.ts";
import { counted, type Kind, lastSignal } from "../diary.ts";
import { SHAREABLE } from "../policy.ts";
import { consequence, since, stateOf } from "../words.ts";
import { GateScene } from "./gate-scene.tsx";
import { MembershipButton } from "./membership-button.tsx";

export function Gate({ device }: { device: Device }) {
  const isOpen = device.gateOpen.value;
  const row = device.membership.value;
  const community = device.community.value;
  const entries = device.diary.entries.value;
  return (
    <section
      id="gate"
      class="gate panel"
      tabIndex={-1}
      data-gate={isOpen ? "open" : "closed"}
      aria-labelledby="gate-title"
    >
      <div class="gate-head">
        <h2 id="gate-title">The gate to {community.name}</h2>
        <p class="gate-state">
          <span class="lamp" aria-hidden="true" />
          {isOpen ? "Open" : "Closed"}
        </p>
      </div>
      <GateScene
        device={device}
        learned={device.profile.value.signals}
        shared={
          entries.filter((entry) => counted(entry) && "community" in entry && entry.community === community.id).length
        }
      />
      <p class="gate-says">{consequence(lastSignal(entries))}</p>
      <MembershipButton device={device} />
      <dl class="facts">
        <div>
          <dt>State</dt>
          <dd>{stateOf(row)}</dd>
        </div>
        <div>
          <dt>
            <abbr title="Membership epoch: one more with every rejoin">Epoch</abbr>
          </dt>
          <dd>{row?.epoch ?? "–"}</dd>
        </div>
        <div>
          <dt>Since</dt>
          <dd>{since(row, device.layer.value)}</dd>
        </div>
      </dl>
      <ShareChoice device={device} />
      <LayerSwitch device={device} />
      <CohortChoice device={device} />
    </section>
  );
}

function ShareChoice({ device }: { device: Device }) {
  const shares = device.shares.value;
  const isMember = device.membership.value?.stopForwardAt === null;
  const turn = (kind: Kind): void => {
    const kinds = shares.includes(kind) ? shares.filter((other) => other !== kind) : [...shares, kind];
    device.chooseShares(kinds);
  };
  return (
    <fieldset class="shares">
      <legend>{isMember ? "You share" : "As a member you would share"}</legend>
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
  const isOn = device.layer.value.status === "Active";
  return (
    <div class="layer">
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
      <p id="layer-about" class="quiet">
        One switch over every community. Off, nothing you do counts anywhere.
      </p>
    </div>
  );
}

function CohortChoice({ device }: { device: Device }) {
  return (
    <label class="cohort-choice">
      <span>Counted among</span>
      <select
        value={device.cohort.value ?? ""}
        onChange={({ currentTarget }) => device.joinCohort(currentTarget.value === "" ? null : currentTarget.value)}
      >
        <option value="">no cohort</option>
        {COHORTS.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
