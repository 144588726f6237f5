// What a test tells of the app that it ran, for the table.
import { expect, type TestContext } from "vitest";
import { weigh } from "../../../tools/lib/weigh.mjs";
import type { Answer } from "./app.mjs";

/** Checks an answer and notes it. Where nobody counts what is loaded, the named entries of the package are weighed. */
export function note(
  { task }: TestContext,
  answer: Answer & { error?: string },
  { stored, entries = [] }: { stored: boolean; entries?: string[] },
): void {
  if (answer.error !== undefined) throw new Error(answer.error);
  expect(answer.stored).toBe(stored);
  task.meta.firstQuery = answer.firstQuery;
  // The inlined module is loaded instead of the file.
  const needed = weigh(entries).filter(({ file }) => !(entries.includes("inline.js") && file.endsWith(".wasm")));
  const loaded = entries.length > 0 ? needed.reduce((sum, { bytes }) => sum + bytes, 0) : answer.loaded;
  if (loaded > 0) task.meta.loaded = loaded;
}
