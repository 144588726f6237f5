// biome-ignore-all lint/suspicious/noExplicitAny: that is what it is for
// A package whose types accept everything, beside which tests/types/refused.ts shows that it can fail.
export type Change = any;
export type Outcome = any;
export type Tidegate = any;
export const fileStore: any;
export const open: any;
export const restore: any;
export const TidegateError: any;
