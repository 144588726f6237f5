// What the person does on this page, in Tidegate's words. The views read from here and are told when to look again.
import type { LayerStatus, Membership, Profile, QueryResult, Tidegate } from "tidegate";
import type { Film } from "./catalogue.ts";
import { type Community, communityOf } from "./communities.ts";
import { type LastSignal, readCommunity, readLast, writeCommunity, writeLast } from "./settings.ts";

/** The person at this device. */
const USER = "you";

/** What the buttons of a film can say about it. */
export type Kind = "like" | "save" | "skip" | "hide";

/** Whether all that was done so far is stored. */
export type Storing = "saving" | "saved" | "failed";

/** Whether it was joined and not left. Nothing counts all the same while the switch over all communities is off. */
export function isMember({ stopForwardAt }: Membership): boolean {
  return stopForwardAt === null;
}

/** See the top of the file. */
export class Session {
  readonly #db: Tidegate;
  readonly #listeners: (() => void)[] = [];
  #community = communityOf(readCommunity());
  #last = readLast();
  #storing: Storing = "saved";
  #unsettled = 0;
  #telling = false;

  constructor(db: Tidegate) {
    this.#db = db;
    // Memberships and the layer change by what is done here and by what other tabs do: one way for both.
    db.on("change", () => this.#tell());
  }

  /** Calls `listener` whenever something on view may have changed. */
  listen(listener: () => void): void {
    this.#listeners.push(listener);
  }

  get persistent(): boolean {
    return this.#db.persistent;
  }

  get storing(): Storing {
    return this.#storing;
  }

  get community(): Community {
    return this.#community;
  }

  /** Puts a community on view. */
  choose(id: string): void {
    this.#community = communityOf(id);
    writeCommunity(this.#community.id);
    this.#tell();
  }

  /** The person's row in the community on view, or in another one. */
  membership(community = this.#community.id): Membership | null {
    return this.#db.membership(USER, community);
  }

  get layer(): LayerStatus {
    return this.#db.communityLayerStatus(USER);
  }

  /** Whether a signal given now would count in the community on view. */
  get gateOpen(): boolean {
    return this.membership()?.contributing === true;
  }

  get last(): LastSignal | null {
    return this.#last;
  }

  /** Joins, leaves or rejoins the community on view: whichever is next. */
  changeMembership(): void {
    const membership = this.membership();
    const community = this.#community.id;
    if (membership === null) {
      this.#db.join(USER, community);
      this.#store(this.#db.flush());
    } else if (isMember(membership)) {
      this.#store(this.#db.leave(USER, community).durable);
    } else {
      this.#db.rejoin(USER, community);
      this.#store(this.#db.flush());
    }
  }

  /** Turns the switch over all communities. */
  setLayer(active: boolean): void {
    const receipt = active ? this.#db.rejoinCommunityLayer(USER) : this.#db.leaveCommunityLayer(USER);
    this.#store(receipt.durable);
  }

  /** Tells Tidegate what the person thinks of a film. */
  signal(kind: Kind, film: Film): void {
    const community = this.#community.id;
    const outcome = this.#db.signal({ user: USER, item: film.id, kind, community });
    const epoch = this.#db.membershipEpoch(USER, community);
    this.#last = { kind, title: film.title, community: this.#community.name, outcome, epoch };
    writeLast(this.#last);
    // It would be stored without this too, a moment later; so the page can say when it is.
    this.#store(this.#db.flush());
  }

  /** The best films for the person, as the community on view sees it too. */
  feed(limit: number): QueryResult {
    return this.#db.query({ user: USER, community: this.#community.id, limit });
  }

  profile(): Profile {
    return this.#db.profile(USER);
  }

  #store(done: Promise<void>): void {
    this.#unsettled++;
    this.#storing = "saving";
    done
      .then(() => "saved" as const)
      .catch(() => "failed" as const)
      .then((result) => {
        if (--this.#unsettled > 0) return;
        this.#storing = result;
        this.#tell();
      });
    this.#tell();
  }

  // Once, however much one click changes.
  #tell(): void {
    if (this.#telling) return;
    this.#telling = true;
    queueMicrotask(() => {
      this.#telling = false;
      for (const listener of this.#listeners) listener();
    });
  }
}
