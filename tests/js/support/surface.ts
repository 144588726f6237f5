// The methods of the public interface, taken from its source: a new one that a table does not have fails the table's test.
import { readFileSync } from "node:fs";

/** Names of all methods of `Tidegate`. */
export function methods(): string[] {
  const source = readFileSync(new URL("../../../js/types.ts", import.meta.url), "utf8");
  const body = /export interface Tidegate \{\n(.*?)\n\}\n/s.exec(source)?.[1] ?? "";
  const calls = [...body.matchAll(/^ {2}(\w+|\[Symbol\.asyncDispose\])\(/gm)];
  const names = [...new Set(calls.map(([, name]) => String(name)))];
  if (names.length < 20) throw new Error("the interface was not found");
  return names.sort();
}
