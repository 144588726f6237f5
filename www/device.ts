// The device: what the person does on this page, in Tidegate's words, and what is known of it. The views read from here, and
// are told when to look again.
import type { LayerStatus, Membership, Profile, QueryResult, Stats, Tidegate } from "tidegate";
import type { Film } from "./catalogue.ts";
import { clock } from "./clock.ts";
import { type Community, communityOf } from "./communities.ts";
import { Diary, type Kind, type News } from "./diary.ts";
import { clear, read, write } from "./kept.ts";
import { OtherTabs } from "./other-tabs.ts";
import { USER } from "./person.ts";
import { policyOf, SHARED_AT_FIRST, sharedKinds } from "./policy.ts";
import { replay } from "./replay.ts";
import { Watched } from "./watched.ts";

/** How many films the feed shows at first: with the first one as wide as two they fill rows of two and of three. */
const FIRST = 11;
/** How many more at a time. */
const MORE = 12;
/** How much the feed is spread over genres and directors. */
const DIVERSITY = 0.35;

/** Whether all that was done so far is stored. */
export type Storing = "saving" | "saved" | "failed";

/** See the top of the file. */
export class Device extends Watched {
  readonly #db: Tidegate;
  readonly films: ReadonlyMap<string, Film>;
  readonly diary = new Diary();
  readonly tabs: OtherTabs;
  /** When this page was opened. */
  readonly openedAt = clock();

  /** What was worked out since something changed. */
  readonly #known = new Map<string, unknown>();
  #community = communityOf(read("community"));
  /** What the person would share where they are no member, by community. */
  readonly #planned = new Map<string, readonly Kind[]>();
  #limit = FIRST;
  #storing: Storing = "saved";
  #stored: Promise<unknown> = Promise.resolve();
  #unsettled = 0;
  #said = "";
  #hiding: Film | null = null;
  #bytes: { snapshot: number; outbox: number };

  constructor(db: Tidegate, films: ReadonlyMap<string, Film>) {
    super();
    this.#db = db;
    this.films = films;
    this.tabs = new OtherTabs(this.diary, {
      counted: () => this.#again(),
      left: (community) => this.#say(`Another tab left ${communityOf(community).name}. The gate is closed here, too.`),
    });
    this.#bytes = this.#weigh();
    // Memberships and the layer change by what is done here and by what other tabs do: one way for both.
    db.on("change", (change) => {
      // The site's data was deleted: the films went with it.
      if (change.type === "reset") location.reload();
      if (change.type === "membership" && change.membership.user === USER) this.tabs.changed(change.membership);
      this.#again();
    });
    this.diary.watch(() => this.#again());
    // Before the library's own listener: what waits to be undone is then stored with the rest.
    addEventListener("pagehide", () => this.hideForGood(), { capture: true });
  }

  /** The community on view. */
  get community(): Community {
    return this.#community;
  }

  get storing(): Storing {
    return this.#storing;
  }

  /** Settles when all that was done so far is stored, or has failed to be. */
  get stored(): Promise<unknown> {
    return this.#stored;
  }

  get persistent(): boolean {
    return this.#db.persistent;
  }

  /** What is announced to who does not see it. */
  get said(): string {
    return this.#said;
  }

  /** The film that is being hidden, while that can be undone. */
  get hiding(): Film | null {
    return this.#hiding;
  }

  /** The bytes of the snapshot, and of the events that wait to go to other devices, when all was stored last. */
  get bytes(): { snapshot: number; outbox: number } {
    return this.#bytes;
  }

  get memberships(): readonly Membership[] {
    return this.#once("memberships", () => this.#db.memberships(USER));
  }

  get layer(): LayerStatus {
    return this.#once("layer", () => this.#db.communityLayerStatus(USER));
  }

  /** The cohort that the person is counted among. */
  get cohort(): string | null {
    return this.#once("cohort", () => this.#db.cohorts(USER)[0] ?? null);
  }

  get profile(): Profile {
    return this.#once("profile", () => this.#db.profile(USER));
  }

  get stats(): Stats {
    return this.#once("stats", () => this.#db.stats());
  }

  /** The person's row in the community on view, or in another one. */
  membership(community = this.#community.id): Membership | null {
    return this.memberships.find((row) => row.community === community) ?? null;
  }

  /** Whether something said now would count in the community on view. */
  get gateOpen(): boolean {
    return this.membership()?.contributing === true;
  }

  /** The kinds that the person shares with the community on view, or would. */
  get shares(): readonly Kind[] {
    const row = this.membership();
    const planned = this.#planned.get(this.#community.id);
    if (planned !== undefined && row?.stopForwardAt !== null) return planned;
    return row === null ? SHARED_AT_FIRST : sharedKinds(row.sharePolicyVersion);
  }

  /** Films that were liked or saved, the strongest first. */
  get liked(): Film[] {
    return this.#once("liked", () =>
      this.filmsOf(this.profile.items.flatMap(({ id, score }) => (score > 0 ? [id] : []))),
    );
  }

  /** Those of them that were saved and not seen since. */
  get saved(): Film[] {
    return this.#once("saved", () => {
      const candidates = this.liked.map(({ id }) => id);
      const { items } = this.#db.query({ user: USER, candidates, limit: Number.POSITIVE_INFINITY });
      return this.filmsOf(items.map(({ id }) => id));
    });
  }

  /** The best films for the person, as the community on view sees it too. */
  get feed(): QueryResult {
    return this.#once("feed", () => {
      const { cohort } = this;
      return this.#db.query({
        user: USER,
        community: this.#community.id,
        ...(cohort === null ? {} : { cohort }),
        exclude: this.saved.map(({ id }) => id),
        limit: this.#limit,
        diversity: DIVERSITY,
      });
    });
  }

  /** The films of ids, without those of an earlier catalogue. */
  filmsOf(ids: readonly string[]): Film[] {
    return ids.flatMap((id) => this.films.get(id) ?? []);
  }

  /** Puts a community on view. */
  choose(id: string): void {
    this.#community = communityOf(id);
    write("community", id);
    this.#say(`Watching with ${this.#community.name}. The gate is ${this.gateOpen ? "open" : "closed"}.`);
  }

  /** Is counted among a cohort's viewers, or among none. */
  joinCohort(id: string | null): void {
    this.#db.setCohorts(USER, id === null ? [] : [id]);
    this.#store(this.#db.flush());
  }

  /** Joins or rejoins the community on view, sharing these kinds; while a member, shares these from now on. */
  share(kinds: readonly Kind[]): void {
    const { id: community, name } = this.#community;
    const before = this.membership();
    const at = clock();
    const epoch = this.#db.join(USER, community, policyOf(kinds));
    const took = clock() - at;
    const isNew = before === null || before.stopForwardAt !== null;
    const what = before === null ? "join" : isNew ? "rejoin" : "policy";
    this.#write({ what, at, community, epoch, took });
    this.#store(this.#db.flush());
    this.#say(
      isNew ? `You are a member of ${name}, epoch ${epoch}. Gate open.` : `What you share with ${name} changed.`,
    );
  }

  /** Shares these kinds with the community on view: from now on, or from the next joining on. */
  chooseShares(kinds: readonly Kind[]): void {
    if (this.membership()?.stopForwardAt === null) this.share(kinds);
    else this.#planned.set(this.#community.id, kinds);
    this.#again();
  }

  /** Leaves the community on view: the gate is closed when this returns. */
  leave(): void {
    const { id: community, name } = this.#community;
    const at = clock();
    const { durable, epoch } = this.#db.leave(USER, community);
    const took = clock() - at;
    this.#write({ what: "leave", at, community, epoch, took });
    this.#store(durable);
    this.#say(`You left ${name}. Gate closed.`);
  }

  /** Turns the switch over all communities. */
  setLayer(active: boolean): void {
    const at = clock();
    const { durable } = active ? this.#db.rejoinCommunityLayer(USER) : this.#db.leaveCommunityLayer(USER);
    this.#write({ what: active ? "layerOn" : "layerOff", at, took: clock() - at });
    this.#store(durable);
    this.#say(active ? "The community layer is on." : "The community layer is off. All gates are closed.");
  }

  /** Tells Tidegate what the person thinks of a film. */
  signal(kind: Kind, film: Film): void {
    this.hideForGood();
    const { id: community, name } = this.#community;
    const outcome = this.#db.signal({ user: USER, item: film.id, kind, community });
    const epoch = this.#db.membershipEpoch(USER, community);
    this.#write({ what: "signal", at: clock(), kind, item: film.id, film: film.title, community, outcome, epoch });
    // It would be stored without this too, a moment later; so the page can say when it is.
    this.#store(this.#db.flush());
    const where = outcome === "Recorded" ? `counted in ${name}` : "only on this device";
    this.#say(`${film.title}: ${where}.`);
  }

  /** Takes a film out of sight. It is no signal yet: it can be undone until something else is done. */
  hide(film: Film): void {
    this.hideForGood();
    this.#hiding = film;
    this.#say(`${film.title} is hidden. Undo is at hand.`);
  }

  undoHide(): void {
    const film = this.#hiding;
    this.#hiding = null;
    if (film !== null) this.#say(`${film.title} is back. Nothing was learned.`);
  }

  /** Makes a signal of it. */
  hideForGood(): void {
    const film = this.#hiding;
    this.#hiding = null;
    if (film !== null) this.signal("hide", film);
  }

  showMore(): void {
    this.#limit += MORE;
    this.#again();
  }

  /** Offers what counted before the membership of now again; writes down what became of each. */
  async replay(): Promise<void> {
    const { id: community, name } = this.#community;
    const outcomes = await replay(this.#db, this.diary.entries, community);
    this.diary.add(...outcomes);
    this.#store(this.#db.flush());
    const refused = outcomes.filter(({ outcome }) => outcome !== "Counted").length;
    this.#say(`${outcomes.length} old events were offered to ${name} again, ${refused} were refused.`);
  }

  /** Measures the public call that tells an app whether the gate is open. */
  measure<T>(timed: (check: () => boolean) => T): T {
    const community = this.#community.id;
    return timed(() => this.#db.membership(USER, community)?.contributing === true);
  }

  /** The database's bytes, with all in it that was done. */
  async snapshot(): Promise<Uint8Array> {
    await this.#db.flush();
    return this.#db.snapshot();
  }

  /** Forgets the person: memberships are left, the rest is deleted, the diary too. */
  forget(): void {
    this.#hiding = null;
    this.#db.forgetUser(USER);
    clear("community", "steps");
    this.diary.clear();
    this.#planned.clear();
    this.#store(this.#db.flush());
    this.#say("You are forgotten.");
  }

  #write(entry: News): void {
    this.diary.add(entry);
    this.#again();
  }

  #say(text: string): void {
    this.#said = text;
    this.#again();
  }

  #once<T>(name: string, work: () => T): T {
    if (!this.#known.has(name)) this.#known.set(name, work());
    return this.#known.get(name) as T;
  }

  #again(): void {
    this.#known.clear();
    this.tell();
  }

  #weigh(): { snapshot: number; outbox: number } {
    return { snapshot: this.#db.snapshot().length, outbox: this.#db.exportEvents().bytes.length };
  }

  #store(done: Promise<void>): void {
    this.#unsettled++;
    this.#storing = "saving";
    this.#again();
    this.#stored = done
      .then(() => "saved" as const)
      .catch(() => "failed" as const)
      .then((result) => {
        if (--this.#unsettled > 0) return;
        this.#storing = result;
        this.#bytes = this.#weigh();
        this.#again();
      });
  }
}
