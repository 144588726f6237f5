// What the types say of what calls take and give back. Compiled by `npm run check` and by tests/js/surface.test.ts.
import {
  type Change,
  type CommunityOutcome,
  type DefaultKind,
  type Duration,
  type ErrorCode,
  type Id,
  type KindName,
  type Membership,
  type OpenOptions,
  open,
  type QueryResult,
  restore,
  type Signal,
  type Store,
  type Tidegate,
  TidegateError,
} from "tidegate";
import * as inline from "tidegate/inline";
import { fileStore } from "tidegate/node";
import wasm from "tidegate/wasm";
import { expectTypeOf } from "vitest";

declare const tide: Tidegate;
declare const signal: Signal;
declare const anyId: Id;

// A signal's outcome is as precise as what is known of its community.
expectTypeOf(tide.signal({ user: "ada", item: 1, kind: "like" })).toEqualTypeOf<"Local">();
expectTypeOf(
  tide.signal({ user: 1n, item: "alien", kind: "like", community: anyId }),
).toEqualTypeOf<CommunityOutcome>();
expectTypeOf(tide.signal(signal)).toEqualTypeOf<"Local" | CommunityOutcome>();
expectTypeOf<Parameters<Tidegate["signal"]>>().toEqualTypeOf<[signal: Signal]>();

// Kinds of one's own are strings; those that every database has are completed.
expectTypeOf<string>().toExtend<KindName>();
expectTypeOf<DefaultKind>().toExtend<KindName>();
expectTypeOf<"watched">().not.toExtend<DefaultKind>();
tide.join("ada", "films", { share: ["like", "watched"] as const, version: 2 });

// Bytes are plain ones: they can be sent and stored as they are.
expectTypeOf(tide.snapshot()).toEqualTypeOf<Uint8Array<ArrayBuffer>>();
new Blob([tide.snapshot(), tide.exportEvents().bytes]);

// The terms of a community are all there or none is.
function terms({ policyMetadata }: QueryResult): number {
  if (policyMetadata.membershipEpoch === null) {
    expectTypeOf(policyMetadata.sharePolicyVersion).toBeNull();
    return 0;
  }
  expectTypeOf(policyMetadata.membershipState).toEqualTypeOf<Membership["state"]>();
  return policyMetadata.sharePolicyVersion;
}

// A change is told apart by its type.
function told(change: Change): number | undefined {
  switch (change.type) {
    case "membership":
      return change.membership.epoch;
    case "layer":
      return change.status.leftAt ?? 0;
    case "caughtUp":
      return change.events;
    case "reset":
      return undefined;
  }
}
expectTypeOf(tide.on("change", told)).toEqualTypeOf<() => void>();

// Every entry is the same API.
expectTypeOf(inline.open).toEqualTypeOf(open);
expectTypeOf(inline.restore).toEqualTypeOf(restore);
expectTypeOf(inline.TidegateError).toEqualTypeOf(TidegateError);
expectTypeOf(fileStore).toEqualTypeOf<(directory: string) => Store>();
expectTypeOf(wasm).toExtend<OpenOptions["wasm"]>();
expectTypeOf<Tidegate>().toExtend<AsyncDisposable>();

// Arguments may be read-only, and any iterable.
const films = [{ id: "alien", categories: ["sci-fi"], vector: Float32Array.of(1, 0) }] as const;
tide.upsertItems(films);
tide.upsertItems(new Set(films));
tide.query({ user: "ada", candidates: new Map([["alien", 1]]).keys(), exclude: new Set([1n]), limit: Infinity });

const durations: Duration[] = [50, "90s", "1.5h", "7d"];
const code: ErrorCode = new TidegateError("NotFound", { argument: "user" }).code;

export { code, durations, terms };
