// What calls give back. Every result is the caller's own copy: nothing that happens later changes it.

/** The state of a membership row. Only Joined and Rejoined contribute. */
export type MembershipState = "Joined" | "LeavingStopForward" | "Left" | "Rejoined";

/** A membership row. */
export interface Membership {
  /** Whose it is. */
  readonly user: string;
  /** In which community. */
  readonly community: string;
  /** Where it stands. */
  readonly state: MembershipState;
  /** The membership epoch: 0 at first, one more with every rejoin, at most 2^32 − 1. */
  readonly epoch: number;
  /** The version of the policy that was given last, 0 … 65535. */
  readonly sharePolicyVersion: number;
  /** Milliseconds; the first join, never changed. */
  readonly joinedAt: number;
  /** Milliseconds; null while contributions flow. */
  readonly stopForwardAt: number | null;
  /** Whether this database's signals count in the community now (R1, R17). */
  readonly contributing: boolean;
}

/** What `leave` did. The gate is closed when the receipt exists. */
export interface LeaveReceipt {
  /** Who left. */
  readonly user: string;
  /** Which community. */
  readonly community: string;
  /** The membership epoch that it ends. */
  readonly epoch: number;
  /** Milliseconds; of several leaves of one epoch the first. */
  readonly stopForwardAt: number;
  /** Settles when storage has it; rejects with a TidegateError if it cannot. The gate is closed either way (R10). Not
   *  enumerable, so that a receipt can be cloned or turned into JSON. */
  readonly durable: Promise<void>;
}

/** The user-wide switch. */
export interface LayerStatus {
  /** Whose it is. */
  readonly user: string;
  /** While it is `"Left"`, no signal of the user counts in any community or cohort. */
  readonly status: "Active" | "Left";
  /** Milliseconds; the last time of leaving, kept after a rejoin. */
  readonly leftAt: number | null;
}

/** What a change of the user-wide switch led to. */
export interface LayerReceipt extends LayerStatus {
  /** As in {@link LeaveReceipt}. */
  readonly durable: Promise<void>;
}

/**
 * What became of the community part of a signal that named one (R1). Local effects happened in every case.
 *
 * - `"Recorded"`: it counts.
 * - `"NotMember"`: there is no membership that this database joined.
 * - `"Left"`: the member has left.
 * - `"LayerLeft"`: the user has left the community layer.
 * - `"PolicyExcluded"`: the share policy leaves this kind out.
 */
export type CommunityOutcome = "Recorded" | "NotMember" | "Left" | "LayerLeft" | "PolicyExcluded";

/** What became of a signal: `"Local"` where it named no community. */
export type Outcome = "Local" | CommunityOutcome;

/** What became of a batch. Both are 0 where no community was named. */
export interface BatchOutcome {
  /** How many signals count in the community. */
  readonly recorded: number;
  /** How many do not; the profile learned from them. */
  readonly gated: number;
}

/** A ranking: highest score first, equal scores by ascending numeric id (R14). */
export interface QueryResult {
  /** The rows asked for, as many as there are. */
  readonly items: readonly RankedItem[];
  /** Under which terms the community was asked. */
  readonly policyMetadata: PolicyMetadata;
  /** How it came about. */
  readonly stats: QueryStats;
}

/** An item's place in a ranking. */
export interface RankedItem {
  /** The item. */
  readonly id: string;
  /** Finite. The sum of the parts. */
  readonly score: number;
  /** What the user's profile and the item's features say. */
  readonly local: number;
  /** What the community says: 0 where none was asked, or the user is no member of it. */
  readonly community: number;
  /** What the cohort says: 0 where none was asked. */
  readonly cohort: number;
}

/** Under which terms the community was asked: those of the membership row, or all null. */
export type PolicyMetadata = MemberTerms | NoTerms;

/** The terms of a membership row. */
export interface MemberTerms {
  /** The row's epoch. */
  readonly membershipEpoch: number;
  /** The row's state; the community had a say only if it is Joined or Rejoined. */
  readonly membershipState: MembershipState;
  /** The row's policy version. */
  readonly sharePolicyVersion: number;
}

/** Of a purely local query, and where there is no membership. */
export interface NoTerms {
  /** There is no row. */
  readonly membershipEpoch: null;
  /** There is no row. */
  readonly membershipState: null;
  /** There is no row. */
  readonly sharePolicyVersion: null;
}

/** How a ranking came about. */
export interface QueryStats {
  /** As in {@link PolicyMetadata}. */
  readonly membershipEpoch: number | null;
  /** Items considered, before hidden and seen ones were left out. */
  readonly candidates: number;
  /** Left out as seen. */
  readonly seen: number;
  /** Left out as hidden. */
  readonly hidden: number;
  /** Milliseconds that the call took. */
  readonly durationMs: number;
}

/** What this device knows of a user. */
export interface Profile {
  /** Whose it is. */
  readonly user: string;
  /** How many signals were recorded. */
  readonly signals: number;
  /** How many items were seen. */
  readonly seen: number;
  /** Hidden items, by numeric id. */
  readonly hidden: readonly string[];
  /** Strongest first. */
  readonly items: readonly Affinity[];
  /** Strongest first. */
  readonly categories: readonly NamedAffinity[];
  /** Strongest first. */
  readonly creators: readonly Affinity[];
  /** Of length 1 in the vector space of the items; null where nothing is known. */
  readonly preference: Float32Array | null;
}

/** How much a user is drawn to an item or a creator. */
export interface Affinity {
  /** The item or creator. */
  readonly id: string;
  /** A decayed sum of weights; below 0 it counts against. */
  readonly score: number;
}

/** How much a user is drawn to a category. */
export interface NamedAffinity {
  /** The category. */
  readonly name: string;
  /** A decayed sum of weights; below 0 it counts against. */
  readonly score: number;
}

/** Community events for other devices. */
export interface ExportedEvents {
  /** To be carried to `importEvents` of other devices as they are. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What to `acknowledge` when they have arrived. */
  readonly cursor: string;
}

/** What became of imported events. */
export interface ImportReport {
  /** Counted, or merged where it is a join or a leave. */
  readonly applied: number;
  /** Taken in before, or this database's own. */
  readonly duplicate: number;
  /** Of an earlier membership epoch (R6). */
  readonly staleEpoch: number;
  /** Of a later membership epoch than is known here. */
  readonly futureEpoch: number;
  /** Behind a closed gate or a left layer, or excluded by the share policy. */
  readonly gated: number;
  /** Of somebody who is no member here. */
  readonly notMember: number;
}

/** Counters of an open database. */
export interface Stats {
  /** Users with a profile, a membership or a row in the community layer. */
  readonly users: number;
  /** Known items (R20). */
  readonly items: number;
  /** Membership rows, those of people who left too. */
  readonly memberships: number;
  /** Contributions since open. */
  readonly contributions: BatchOutcome;
  /** Events not yet stored. */
  readonly pending: number;
  /** How many rows the log has had. */
  readonly logPosition: number;
  /** Bytes of the WebAssembly instance's memory, shared by all databases of this page or process. */
  readonly wasmBytes: number;
}

/** What listeners are told; told apart by `type`. */
export type Change = MembershipChange | LayerChange | CaughtUpChange | ResetChange;

/** A membership changed: by a call here, in another tab, or by an import. */
export interface MembershipChange {
  /** Which change this is. */
  readonly type: "membership";
  /** The row as it is now. */
  readonly membership: Membership;
}

/** A user-wide switch changed: by a call here, in another tab, or by an import. */
export interface LayerChange {
  /** Which change this is. */
  readonly type: "layer";
  /** The switch as it is now. */
  readonly status: LayerStatus;
}

/** Other tabs' events were folded in. */
export interface CaughtUpChange {
  /** Which change this is. */
  readonly type: "caughtUp";
  /** How many, or how many rows where a snapshot stands for them. */
  readonly events: number;
}

/** The stored data was deleted under the open database, which starts empty (R18). */
export interface ResetChange {
  /** Which change this is. */
  readonly type: "reset";
}
