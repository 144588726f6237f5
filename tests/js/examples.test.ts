// Every example in the README, in docs/ and in the public doc comments runs, on the built package, and comes out as it says.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { tsc } from "../../tools/lib/bindings.mjs";
import { at } from "../../tools/lib/project.mjs";
import { attempt } from "../../tools/lib/run.mjs";
import { examples, languages } from "./support/examples.js";

const all = examples();
// Below node_modules, so that they find the package as its users do.
const folder = at("node_modules", ".cache", "tidegate", `examples-${process.pid}`);
const file = (place: string) => join(folder, `${place.replaceAll(/\W/g, "-")}.mjs`);

const home = process.cwd();
let working: string;

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  for (const { place, program } of all) writeFileSync(file(place), program);
});
afterAll(() => rmSync(folder, { recursive: true }));

// What an example writes, it writes into a folder of its own; what it prints is for its reader.
beforeEach(() => {
  working = mkdtempSync(join(tmpdir(), "tidegate-example-"));
  process.chdir(working);
  vi.spyOn(console, "log").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
  process.chdir(home);
  rmSync(working, { recursive: true });
  vi.unstubAllGlobals();
});

it.each(all)("$place runs", async ({ place, browser }) => {
  if (browser) {
    vi.stubGlobal("self", new EventTarget());
    vi.stubGlobal("navigator", { globalPrivacyControl: true });
  }
  await import(/* @vite-ignore */ pathToFileURL(file(place)).href);
});

it("their types are right", async () => {
  const settings = {
    extends: at("tsconfig.json"),
    compilerOptions: {
      allowJs: true,
      checkJs: true,
      noImplicitAny: false,
      types: ["node"],
      typeRoots: [at("node_modules", "@types")],
    },
    files: all.filter(({ browser }) => !browser).map(({ place }) => file(place)),
    include: [],
  };
  const config = join(folder, "tsconfig.json");
  writeFileSync(config, JSON.stringify(settings));
  const compiled = await attempt(process.execPath, [tsc, "-p", config, "--pretty", "false"], { silent: true });
  expect(compiled).toEqual({ ok: true, output: "" });
});

it("there are examples of the calls that one begins with", () => {
  const text = all.map(({ program }) => program).join("\n");
  for (const call of [
    "open",
    "restore",
    "fileStore",
    "join",
    "leave",
    "rejoin",
    "signal",
    "signalBatch",
    "query",
    "profile",
  ]) {
    expect(text, call).toMatch(new RegExp(`\\b${call}\\(`));
  }
});

it("no language is passed over", () => {
  // Drawings; commands; Rust, which `cargo test` compiles and runs; the React component of examples/react, which is tested there.
  const elsewhere = ["", "text", "sh", "rust", "tsx"];
  const known = [...elsewhere, "js", "js browser"];
  const unknown = [...languages()].filter(([language]) => !known.includes(language));
  expect(unknown).toEqual([]);
});
