// The public surface of the package. TIDEGATE_BLESS=1 npm run test:js -- surface writes it anew.

// tidegate

export interface Affinity {
    readonly id: string;
    readonly score: number;
}

export interface BatchOutcome {
    readonly recorded: number;
    readonly gated: number;
}

export interface CaughtUpChange {
    readonly type: "caughtUp";
    readonly events: number;
}

export type Change = MembershipChange | LayerChange | CaughtUpChange | ResetChange;

export type CommunityOutcome = "Recorded" | "NotMember" | "Left" | "LayerLeft" | "PolicyExcluded";

export interface CommunitySignal extends Signal {
    community: Id;
}

export type DefaultKind =
    | "impression"
    | "view"
    | "click"
    | "like"
    | "save"
    | "share"
    | "skip"
    | "dislike"
    | "hide";

export type Durability = "strict" | "relaxed";

export type Duration = number | `${number}${"ms" | "s" | "m" | "h" | "d"}`;

export type ErrorCode =
    | "InvalidId"
    | "InvalidTimestamp"
    | "InvalidWeight"
    | "InvalidArgument"
    | "UnknownKind"
    | "NotFound"
    | "Unsupported"
    | "EpochExhausted"
    | "SchemaMismatch"
    | "CorruptSnapshot"
    | "CorruptEvents"
    | "UnsupportedVersion"
    | "SequenceGap"
    | "Storage"
    | "QuotaExceeded"
    | "Blocked"
    | "Closed"
    | "WasmUnavailable"
    | "Poisoned";

export interface ExportedEvents {
    readonly bytes: Uint8Array<ArrayBuffer>;
    readonly cursor: string;
}

export interface Fence {
    raise(origin: bigint, position: number, elsewhere: boolean): void;
    isAhead(origin: bigint, position: number): boolean;
}

export type Id = string | number | bigint;

export interface ImportReport {
    readonly applied: number;
    readonly duplicate: number;
    readonly staleEpoch: number;
    readonly futureEpoch: number;
    readonly gated: number;
    readonly notMember: number;
}

export interface Item {
    id: Id;
    vector?: ArrayLike<number>;
    categories?: readonly string[];
    creator?: Id;
    createdAt?: Time;
}

export type KindName = DefaultKind | (string & Record<never, never>);

export interface LayerChange {
    readonly type: "layer";
    readonly status: LayerStatus;
}

export interface LayerReceipt extends LayerStatus {
    readonly durable: Promise<void>;
}

export interface LayerStatus {
    readonly user: string;
    readonly status: "Active" | "Left";
    readonly leftAt: number | null;
}

export type LeaveMode = "StopForward" | "Purge";

export interface LeaveReceipt {
    readonly user: string;
    readonly community: string;
    readonly epoch: number;
    readonly stopForwardAt: number;
    readonly durable: Promise<void>;
}

export interface LocalSignal extends Signal {
    community?: never;
}

export interface MemberTerms {
    readonly membershipEpoch: number;
    readonly membershipState: MembershipState;
    readonly sharePolicyVersion: number;
}

export interface Membership {
    readonly user: string;
    readonly community: string;
    readonly state: MembershipState;
    readonly epoch: number;
    readonly sharePolicyVersion: number;
    readonly joinedAt: number;
    readonly stopForwardAt: number | null;
    readonly contributing: boolean;
}

export interface MembershipChange {
    readonly type: "membership";
    readonly membership: Membership;
}

export type MembershipState = "Joined" | "LeavingStopForward" | "Left" | "Rejoined";

export interface NamedAffinity {
    readonly name: string;
    readonly score: number;
}

export interface News {
    compacted: number;
    snapshot: Uint8Array | null;
    rows: Uint8Array[];
    overtaken: number | undefined;
}

export interface NoTerms {
    readonly membershipEpoch: null;
    readonly membershipState: null;
    readonly sharePolicyVersion: null;
}

export interface OpenOptions {
    name?: string;
    storage?: "auto" | "memory" | "indexeddb" | Store;
    signals?: Readonly<Record<string, SignalKind>>;
    dimensions?: number;
    outbox?: boolean;
    persist?: boolean;
    flushDelay?: Duration;
    now?: () => number;
    wasm?: WebAssembly.Module | BufferSource | URL | string | Promise<Response>;
    onCorrupt?: "reject" | "startEmpty";
    onError?: (error: TidegateError) => void;
}

export type Outcome = "Local" | CommunityOutcome;

export type PolicyMetadata = MemberTerms | NoTerms;

export interface Profile {
    readonly user: string;
    readonly signals: number;
    readonly seen: number;
    readonly hidden: readonly string[];
    readonly items: readonly Affinity[];
    readonly categories: readonly NamedAffinity[];
    readonly creators: readonly Affinity[];
    readonly preference: Float32Array | null;
}

export interface Query {
    user: Id;
    community?: Id;
    cohort?: Id;
    candidates?: Iterable<Id>;
    exclude?: Iterable<Id>;
    includeSeen?: boolean;
    limit?: number;
    offset?: number;
    at?: Time;
    diversity?: number;
}

export interface QueryResult {
    readonly items: readonly RankedItem[];
    readonly policyMetadata: PolicyMetadata;
    readonly stats: QueryStats;
}

export interface QueryStats {
    readonly membershipEpoch: number | null;
    readonly candidates: number;
    readonly seen: number;
    readonly hidden: number;
    readonly durationMs: number;
}

export interface RankedItem {
    readonly id: string;
    readonly score: number;
    readonly local: number;
    readonly community: number;
    readonly cohort: number;
}

export interface ResetChange {
    readonly type: "reset";
}

export interface SharePolicy {
    version?: number;
    share?: "All" | "None" | readonly KindName[];
}

export interface Signal {
    user: Id;
    item: Id;
    kind: KindName;
    weight?: number;
    at?: Time;
    community?: Id;
    agent?: Id;
}

export interface SignalBatch {
    user: Id;
    items: BigUint64Array;
    kinds: Uint16Array;
    weights?: Float32Array;
    at?: Float64Array;
    community?: Id;
}

export interface SignalKind {
    weight?: number;
    halfLife?: Duration;
    seen?: boolean;
    hide?: boolean;
}

export interface Stats {
    readonly users: number;
    readonly items: number;
    readonly memberships: number;
    readonly contributions: BatchOutcome;
    readonly pending: number;
    readonly logPosition: number;
    readonly wasmBytes: number;
}

export interface Store {
    readonly persistent: boolean;
    readonly tombstones?: Tombstones | undefined;
    load(): Promise<Stored | null>;
    create(snapshot: Uint8Array): Promise<boolean>;
    read(position: number): Promise<News>;
    transact(position: number, step: (news: News) => Uint8Array | null, durability: Durability): Promise<void>;
    compact(position: number, snapshot: Uint8Array): Promise<boolean>;
    quarantine(): Promise<void>;
    onYield?(flush: () => Promise<void>): void;
    close(): void;
}

export interface Stored {
    snapshot: Uint8Array;
    position: number;
    rows: Uint8Array[];
    torn?: TidegateError;
}

export interface Tidegate {
    readonly name: string;
    readonly persistent: boolean;
    readonly closed: boolean;
    upsertItems(items: Iterable<Item>): void;
    removeItems(ids: Iterable<Id>): void;
    join(user: Id, community: Id, policy?: SharePolicy): number;
    leave(user: Id, community: Id, options?: {
        mode?: LeaveMode;
    }): LeaveReceipt;
    rejoin(user: Id, community: Id, policy?: SharePolicy): number;
    membership(user: Id, community: Id): Membership | null;
    memberships(user?: Id): readonly Membership[];
    membershipEpoch(user: Id, community: Id): number | null;
    leaveCommunityLayer(user: Id): LayerReceipt;
    rejoinCommunityLayer(user: Id): LayerReceipt;
    communityLayerStatus(user: Id): LayerStatus;
    setCohorts(user: Id, cohorts: Iterable<Id>): void;
    cohorts(user: Id): readonly string[];
    signal(signal: LocalSignal): "Local";
    signal(signal: CommunitySignal): CommunityOutcome;
    signal(signal: Signal): Outcome;
    signalBatch(batch: SignalBatch): BatchOutcome;
    idOf(id: Id): bigint;
    kindOf(kind: KindName): number;
    query(query: Query): QueryResult;
    profile(user: Id): Profile;
    forgetUser(user: Id): readonly LeaveReceipt[];
    snapshot(): Uint8Array<ArrayBuffer>;
    exportEvents(options?: {
        communities?: Iterable<Id>;
        since?: string;
    }): ExportedEvents;
    acknowledge(cursor: string): void;
    importEvents(bytes: Uint8Array): ImportReport;
    flush(): Promise<void>;
    close(): Promise<void>;
    [Symbol.asyncDispose](): Promise<void>;
    stats(): Stats;
    on(event: "change", listener: (change: Change) => void): () => void;
}

export declare class TidegateError extends Error {
    readonly code: ErrorCode;
    readonly argument?: string;
    constructor(code: ErrorCode, details?: TidegateErrorDetails);
}

export interface TidegateErrorDetails {
    argument?: string | undefined;
    message?: string | undefined;
    cause?: unknown;
}

export type Time = number | Date;

export interface Tombstone {
    user: bigint;
    community: bigint | null;
    tab: bigint;
    at: number;
    mark: bigint;
    again: boolean;
}

export interface Tombstones {
    read(): Tombstone[];
    write(tombstone: Tombstone): void;
    remove(tombstone: Tombstone): void;
    readonly fence?: Fence;
}

export declare function open(options?: OpenOptions): Promise<Tidegate>;

export declare function restore(snapshot: Uint8Array, options?: OpenOptions): Promise<Tidegate>;

// tidegate/inline

export * from "tidegate";

// tidegate/node

export declare function fileStore(directory: string): Store;

// tidegate/wasm

import type { OpenOptions } from "./dist/index.js";

declare const wasm: NonNullable<OpenOptions["wasm"]>;
export default wasm;
