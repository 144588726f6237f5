// docs/errors.md has an entry for every code, and no other; each says the cause, what is untouched, and what to do.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { type ErrorCode, TidegateError } from "../../js/index.js";
import { at } from "../../tools/lib/project.mjs";

const read = (...path: string[]) => readFileSync(at(...path), "utf8");
const entries = new Map(
  read("docs", "errors.md")
    .split(/^### /m)
    .slice(1)
    .map((entry) => [entry.match(/^`(\w+)`$/m)?.[1] ?? entry, entry.split(/^## /m)[0] ?? ""]),
);

/** The codes of the type. */
const codes = (/export type ErrorCode =\n(.*?);/s.exec(read("js", "errors.ts"))?.[1]?.match(/\w+/g) ??
  []) as ErrorCode[];

it("every code has an entry, in the order of the type, and no entry is stale", () => {
  expect([...entries.keys()]).toEqual(codes);
});

it.each(codes)("%s: cause, untouched, what to do", (code) => {
  const labels = entries.get(code)?.match(/^- \*\*.*?\*\*/gm);
  expect(labels).toEqual(["- **Cause.**", "- **Untouched.**", "- **What to do.**"]);
  expect(new TidegateError(code).message, "it has words of its own").not.toBe("");
});

it("every error of the core is one of the codes", () => {
  const body = /pub enum Error \{\n(.*?)\n\}/s.exec(read("src", "error.rs"))?.[1] ?? "";
  const variants = [...body.matchAll(/^ {4}(\w+)(?:\(|,)/gm)].map(([, name]) => name);
  expect(variants.length).toBeGreaterThan(10);
  expect(codes).toEqual(expect.arrayContaining(variants));
});

it("is found from where errors are met", () => {
  expect(read("README.md")).toContain("(docs/errors.md)");
  expect(read("js", "errors.ts")).toContain("docs/errors.md");
  expect(read("src", "error.rs")).toContain("docs/errors.md");
});
