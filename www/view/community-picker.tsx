// The choice of the community that the feed is watched with.
import type { Membership } from "tidegate";
import { COMMUNITIES } from "../communities.ts";
import type { Device } from "../device.ts";

export function CommunityPicker({ device }: { device: Device }) {
  const chosen = device.community.id;
  return (
    <fieldset class="communities">
      <legend>
        Watching with <small>(the other members are stand-ins)</small>
      </legend>
      {COMMUNITIES.map(({ id, name }) => {
        const standing = standingIn(device.membership(id));
        return (
          <label key={id} data-standing={standing}>
            <input
              type="radio"
              name="community"
              value={id}
              checked={id === chosen}
              onChange={() => device.choose(id)}
            />
            {name}
            {standing !== "" && <span class="standing">{standing}</span>}
          </label>
        );
      })}
    </fieldset>
  );
}

function standingIn(row: Membership | null): string {
  if (row === null) return "";
  return row.stopForwardAt === null ? "member" : "left";
}
