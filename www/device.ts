// The device: what the person does on this page, in Tidegate's words, and what is known of it. The views read signals from
// here and change nothing themselves.
import { computed, type ReadonlySignal, signal } from "@preact/signals";
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

/** How many films the feed shows more of at a time. */
const PAGE = 12;
/** How much the feed is spread over genres and directors. */
const DIVERSITY = 0.35;

/** Whether all that was done so far is stored. */
export type Storing = "saving" | "saved" | "failed";

/** See the top of the file. */
export class Device {
  readonly #db: Tidegate;
  readonly films: ReadonlyMap<string, Film>;
  readonly diary = new Diary();
  readonly tabs: OtherTabs;
  /** When this page was opened. */
  readonly openedAt = clock();

  /** Raised whenever the database may answer otherwise. */
  readonly #turn = signal(0);
  readonly #community = signal(communityOf(asText(read("community"))));
  readonly #limit = signal(PAGE);
  readonly #storing = signal<Storing>("saved");
  readonly #said = signal("");
  /** What the person would share where they are no member, by community. */
  readonly #planned = signal<ReadonlyMap<string, readonly Kind[]>>(new Map());
  readonly #hiding = signal<Film | null>(null);
  #unsettled = 0;

  constructor(db: Tidegate, films: ReadonlyMap<string, Film>) {
    this.#db = db;
    this.films = films;
    this.tabs = new OtherTabs(this.diary, (community) => this.#noticed(community));
    // Memberships and the layer change by what is done here and by what other tabs do: one way for both.
    db.on("change", (change) => {
      if (change.type === "membership" && change.membership.user === USER) this.tabs.changed(change.membership);
      this.#again();
    });
    // Before the library's own listener: what waits to be undone is then stored with the rest.
    addEventListener("pagehide", () => this.hideForGood(), { capture: true });
  }

  /** The community on view. */
  readonly community: ReadonlySignal<Community> = this.#community;
  readonly storing: ReadonlySignal<Storing> = this.#storing;
  /** What is announced to who does not see it. */
  readonly said: ReadonlySignal<string> = this.#said;
  /** The film that is being hidden, while that can be undone. */
  readonly hiding: ReadonlySignal<Film | null> = this.#hiding;

  readonly memberships = computed<Membership[]>(() => this.#ask((db) => db.memberships(USER)));
  readonly layer = computed<LayerStatus>(() => this.#ask((db) => db.communityLayerStatus(USER)));
  /** The cohort that the person is counted among. */
  readonly cohort = computed<string | null>(() => this.#ask((db) => db.cohorts(USER)[0] ?? null));
  readonly profile = computed<Profile>(() => this.#ask((db) => db.profile(USER)));
  readonly stats = computed<Stats>(() => this.#ask((db) => db.stats()));
  /** The person's row in the community on view. */
  readonly membership = computed(() => this.membershipIn(this.#community.value.id));
  /** Whether something said now would count in the community on view. */
  readonly gateOpen = computed(() => this.membership.value?.contributing === true);
  /** The kinds that the person shares with the community on view, or would. */
  readonly shares = computed<readonly Kind[]>(() => {
    const row = this.membership.value;
    const planned = this.#planned.value.get(this.#community.value.id);
    if (planned !== undefined && row?.stopForwardAt !== null) return planned;
    return row === null ? SHARED_AT_FIRST : sharedKinds(row.sharePolicyVersion);
  });

  /** Films that were saved and not seen since. */
  readonly saved = computed<Film[]>(() => {
    const liked = this.profile.value.items.filter(({ score }) => score > 0).map(({ id }) => id);
    const unseen = this.#ask((db) => db.query({ user: USER, candidates: liked, limit: Number.POSITIVE_INFINITY }));
    return this.filmsOf(unseen.items.map(({ id }) => id));
  });

  /** The best films for the person, as the community on view sees it too. */
  readonly feed = computed<QueryResult>(() => {
    const cohort = this.cohort.value;
    const query = {
      user: USER,
      community: this.#community.value.id,
      ...(cohort === null ? {} : { cohort }),
      exclude: this.saved.value.map(({ id }) => id),
      limit: this.#limit.value,
      diversity: DIVERSITY,
    };
    return this.#ask((db) => db.query(query));
  });

  /** The bytes of the snapshot, and of the events that wait to go to other devices. */
  readonly bytes = computed(() => {
    // When all is stored, not at each signal.
    if (this.#storing.value === "saved") {
      this.#sizes = { snapshot: this.#db.snapshot().length, outbox: this.#db.exportEvents().bytes.length };
    }
    return this.#sizes;
  });
  #sizes = { snapshot: 0, outbox: 0 };

  get persistent(): boolean {
    return this.#db.persistent;
  }

  membershipIn(community: string): Membership | null {
    return this.memberships.value.find((row) => row.community === community) ?? null;
  }

  /** The films of ids, without those of an earlier catalogue. */
  filmsOf(ids: readonly string[]): Film[] {
    return ids.flatMap((id) => this.films.get(id) ?? []);
  }

  /** Puts a community on view. */
  choose(id: string): void {
    this.#community.value = communityOf(id);
    write("community", this.#community.value.id);
    this.#say(`Watching with ${this.#community.value.name}. ${this.gateOpen.value ? "Gate open." : "Gate closed."}`);
  }

  /** Is counted among a cohort's viewers, or among none. */
  joinCohort(id: string | null): void {
    this.#db.setCohorts(USER, id === null ? [] : [id]);
    this.#again();
    this.#store(this.#db.flush());
  }

  /** Joins or rejoins the community on view, sharing these kinds; while a member, shares these from now on. */
  share(kinds: readonly Kind[]): void {
    const { id: community, name } = this.#community.value;
    const before = this.membership.value;
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
    if (this.membership.value?.stopForwardAt === null) this.share(kinds);
    else this.#planned.value = new Map([...this.#planned.value, [this.#community.value.id, kinds]]);
  }

  /** Leaves the community on view: the gate is closed when this returns. */
  leave(): void {
    const { id: community, name } = this.#community.value;
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
    if (this.#hiding.value !== null) this.hideForGood();
    this.#signal(kind, film);
  }

  /** Takes a film out of sight. It is no signal yet: it can be undone until something else is done. */
  hide(film: Film): void {
    this.hideForGood();
    this.#hiding.value = film;
    this.#say(`${film.title} is hidden. Undo is at hand.`);
  }

  undoHide(): void {
    const film = this.#hiding.value;
    this.#hiding.value = null;
    if (film !== null) this.#say(`${film.title} is back. Nothing was recorded.`);
  }

  hideForGood(): void {
    const film = this.#hiding.value;
    this.#hiding.value = null;
    if (film !== null) this.#signal("hide", film);
  }

  showMore(): void {
    this.#limit.value += PAGE;
  }

  /** Offers what counted before the membership of now again; tells what became of each. */
  async replay(): Promise<void> {
    const { id: community, name } = this.#community.value;
    const outcomes = await replay(this.#db, this.diary.entries.value, community);
    this.diary.add(...outcomes);
    this.#again();
    this.#store(this.#db.flush());
    const refused = outcomes.filter(({ outcome }) => outcome !== "Counted").length;
    this.#say(`${outcomes.length} old events were offered to ${name} again, ${refused} were refused.`);
  }

  /** Measures, through the public call that an app would use. */
  measure<T>(loop: (check: () => boolean) => T): T {
    const community = this.#community.peek().id;
    return loop(() => this.#db.membership(USER, community)?.contributing === true);
  }

  /** The database's bytes, with all in it that was done. */
  async snapshot(): Promise<Uint8Array> {
    await this.#db.flush();
    return this.#db.snapshot();
  }

  /** Forgets the person: memberships are left, the rest is deleted, the diary too. */
  async forget(): Promise<void> {
    this.#hiding.value = null;
    this.#db.forgetUser(USER);
    clear("community", "steps");
    this.diary.clear();
    this.#again();
    this.#say("You are forgotten.");
    this.#store(this.#db.flush());
  }

  close(): Promise<void> {
    return this.#db.close();
  }

  #signal(kind: Kind, film: Film): void {
    const { id: community, name } = this.#community.value;
    const outcome = this.#db.signal({ user: USER, item: film.id, kind, community });
    const epoch = this.#db.membershipEpoch(USER, community);
    this.#write({ what: "signal", at: clock(), kind, item: film.id, film: film.title, community, outcome, epoch });
    // It would be stored without this too, a moment later; so the page can say when it is.
    this.#store(this.#db.flush());
    const where = outcome === "Recorded" ? `learned here and counted in ${name}` : "learned here only";
    this.#say(`${film.title}: ${where}.`);
  }

  #noticed(community: string): void {
    this.#say(`Another tab left ${communityOf(community).name}. Gate closed here too.`);
  }

  #write(entry: News): void {
    this.diary.add(entry);
    this.#again();
  }

  #say(text: string): void {
    this.#said.value = text;
  }

  #ask<T>(question: (db: Tidegate) => T): T {
    this.#turn.value;
    return question(this.#db);
  }

  #again(): void {
    this.#turn.value++;
  }

  #store(done: Promise<void>): void {
    this.#unsettled++;
    this.#storing.value = "saving";
    done
      .then(() => "saved" as const)
      .catch(() => "failed" as const)
      .then((result) => {
        if (--this.#unsettled > 0) return;
        this.#storing.value = result;
        this.#again();
      });
  }
}

function asText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
