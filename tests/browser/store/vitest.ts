// What the store's acceptance suite uses of vitest, for a page: cases are collected, and run one by one when they are asked
// for. The assertions are vitest's own.
import { chai, JestAsymmetricMatchers, JestChaiExpect, JestExtend } from "@vitest/expect";

/** The cases by title, in the order of the suite. */
export const cases = new Map<string, () => Promise<void>>();

export function describe(_name: string, body: () => void): void {
  body();
}

export function it(title: string, body: () => Promise<void>): void {
  if (cases.has(title)) throw new Error(`two cases have the title ${title}`);
  cases.set(title, body);
}

it.each =
  <T>(values: readonly T[]) =>
  (title: string, body: (value: T) => Promise<void>): void => {
    for (const value of values) it(title.replace("%s", String(value)), () => body(value));
  };

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);
export const { expect } = chai;
