// Everything that this device knows of the person, and what they can do with it.
import { useState } from "preact/hooks";
import { cohortName } from "../cohorts.ts";
import { communityOf } from "../communities.ts";
import type { Device } from "../device.ts";
import { restoreSnapshot } from "../opening.ts";
import { SHAREABLE, sharedKinds } from "../policy.ts";
import { decimal, size, stateOf } from "../words.ts";

export function YourData({ device }: { device: Device }) {
  const { signals, seen, hidden, items } = device.profile;
  const { layer } = device;
  const cohort = cohortName(device.cohort);
  const { outbox } = device.bytes;
  const memberships = device.memberships;
  const entries = device.diary.entries.length;
  return (
    <>
      <p>
        All of it is in this browser. It has learned from {signals === 1 ? "one signal" : `${signals} signals`}, {seen}{" "}
        films are seen{hidden.length > 0 && `, hidden: ${titles(device, hidden)}`}. The page itself remembers{" "}
        {entries === 1 ? "one event" : `${entries} events`} for its log.
      </p>
      <h3>Memberships</h3>
      {memberships.length === 0 ? (
        <p class="quiet">You have joined no community.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">Community</th>
              <th scope="col">State</th>
              <th scope="col">Epoch</th>
              <th scope="col">Shares</th>
            </tr>
          </thead>
          <tbody>
            {memberships.map((row) => (
              <tr key={row.community}>
                <th scope="row">{communityOf(row.community).name}</th>
                <td>{stateOf(row)}</td>
                <td>{row.epoch}</td>
                <td>{row.stopForwardAt === null ? shared(row.sharePolicyVersion) : "nothing"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p>
        {layer.status === "Active" ? "The community layer is on." : "The community layer is off."} You are counted among{" "}
        {cohort ?? "no cohort"}.
      </p>
      <details>
        <summary>Every film that it has an opinion on ({items.length})</summary>
        <ul>
          {items.map(({ id, score }) => (
            <li key={id}>
              {id}: {decimal(score, 1)}
            </li>
          ))}
        </ul>
      </details>
      <p class="quiet">
        Waiting to go to other devices: {size(outbox)}, memberships and what was shared. A leave takes back what still
        waits.
      </p>
      <DataActions device={device} />
    </>
  );
}

function DataActions({ device }: { device: Device }) {
  const [problem, setProblem] = useState("");
  const [isAsked, ask] = useState(false);
  const restoreFrom = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    try {
      await restoreSnapshot(new Uint8Array(await file.arrayBuffer()), device);
    } catch (error) {
      setProblem(`${file.name} could not be restored. ${error instanceof Error ? error.message : error}`);
    }
  };
  return (
    <div class="data-actions">
      <button type="button" class="button" onClick={() => void download(device)}>
        Download the snapshot
      </button>
      <label class="button">
        Restore a snapshot
        <input
          type="file"
          accept=".tide"
          onChange={({ currentTarget }) => void restoreFrom(currentTarget.files?.[0])}
        />
      </label>
      {isAsked ? (
        <span class="forget">
          <button
            type="button"
            class="button danger"
            onClick={() => {
              ask(false);
              device.forget();
            }}
          >
            Yes, forget all of it
          </button>
          <button type="button" class="button" onClick={() => ask(false)}>
            Keep it
          </button>
        </span>
      ) : (
        <button type="button" class="button danger" onClick={() => ask(true)}>
          Forget me
        </button>
      )}
      <p class="quiet">
        A snapshot brings back what was known then. What you have left since stays left. To be forgotten leaves every
        community and deletes your profile.
      </p>
      {problem !== "" && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

async function download(device: Device): Promise<void> {
  const address = URL.createObjectURL(new Blob([(await device.snapshot()).slice()]));
  const link = Object.assign(document.createElement("a"), { href: address, download: "tidegate-films.tide" });
  link.click();
  // The browser has begun to read by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

function titles(device: Device, ids: readonly string[]): string {
  return device
    .filmsOf(ids)
    .map(({ title }) => title)
    .join(", ");
}

function shared(version: number): string {
  const kinds = sharedKinds(version);
  const names = SHAREABLE.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name.toLowerCase());
  return names.length === 0 ? "nothing" : names.join(", ");
}
