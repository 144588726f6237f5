/**
 * On-device personalization whose community sharing stops the moment a person says so. This is all that users import:
 * {@link open} gives a {@link Tidegate}, and every failure is a {@link TidegateError}.
 *
 * @module tidegate
 */
export { type ErrorCode, TidegateError, type TidegateErrorDetails } from "./errors.js";
export { open, restore } from "./open.js";
export type { Durability, News, Store, Stored } from "./store.js";
export type { Fence, Tombstone, Tombstones } from "./tombstones.js";
export type * from "./types.js";
