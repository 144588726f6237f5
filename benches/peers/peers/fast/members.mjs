// Who may contribute where: one byte for each pair of user and community.
import { Numbers } from "./items.mjs";

export class Members {
  /**
   * @param {readonly (number | string)[]} userIds
   * @param {readonly (number | string)[]} communityIds
   * @param {Uint8Array} open by user, then community
   */
  constructor(userIds, communityIds, open) {
    this.users = new Numbers(userIds);
    this.communities = new Numbers(communityIds);
    this.open = open;
  }

  /** @param {import("../../lib/workload.mjs").Workload} workload */
  static from({ userIds, communityIds, communityOf }) {
    const members = new Members(userIds, communityIds, new Uint8Array(userIds.length * communityIds.length));
    communityOf.forEach((community, user) => {
      members.open[members.place(user, community)] = 1;
    });
    return members;
  }

  /**
   * @param {number} user
   * @param {number} community
   */
  place(user, community) {
    return user * this.communities.ids.length + community;
  }
}
