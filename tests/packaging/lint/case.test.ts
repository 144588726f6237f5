// What the tarball holds.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, inject, it } from "vitest";
import { compressed, weigh } from "../../../tools/lib/weigh.mjs";
import { App } from "../support/app.ts";

let app: App;
let files: string[];
beforeAll(async () => {
  app = await App.install("lint");
  const folder = app.at("node_modules", "tidegate");
  files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
});

const text = (file: string): string => readFileSync(app.at("node_modules", "tidegate", file), "utf8");
const ending = (end: string): string[] => files.filter((file) => file.endsWith(end));

it("publint", () => app.run("publint", "run", inject("tarball"), "--strict"));

it("are the types wrong", () => app.run("attw", inject("tarball"), "--profile", "esm-only", "--no-color"));

it("one .wasm, the licences, the readme, the changes", () => {
  expect(ending(".wasm")).toEqual(["dist/generated/tidegate_bg.wasm"]);
  for (const file of ["LICENSE-MIT", "LICENSE-APACHE", "README.md", "CHANGELOG.md"]) expect(files).toContain(file);
});

it("source maps lead to sources", () => {
  const maps = ending(".map");
  expect(maps.length).toBeGreaterThan(50);
  for (const map of maps) {
    const { sourceRoot, sources }: { sourceRoot: string; sources: string[] } = JSON.parse(text(map));
    for (const source of sources) expect(files).toContain(join(dirname(map), sourceRoot, source));
  }
});

it("declarations import what is there", () => {
  for (const file of ending(".d.ts").filter((name) => name.startsWith("dist"))) {
    for (const [, name = ""] of text(file).matchAll(/(?:from |import\()"(\.[^"]+)"/g)) {
      expect(files).toContain(join(dirname(file), name));
      expect(name).toMatch(/\.js$/);
    }
  }
});

it("what a browser loads", ({ task }) => {
  const parts = weigh(["index.js"]).map(({ file, bytes }) => ({ file, bytes, brotli: compressed(file) }));
  const sum = (kind: (file: string) => boolean): string => {
    const some = parts.filter(({ file }) => kind(file));
    return (some.reduce((total, { brotli }) => total + brotli, 0) / 1000).toFixed(1);
  };
  const glue = (file: string): boolean => file.startsWith("generated") && file.endsWith(".js");
  const ours = (file: string): boolean => !file.startsWith("generated");
  task.meta.loaded = parts.reduce((total, { bytes }) => total + bytes, 0);
  task.meta.note = `brotli KB: module ${sum((file) => file.endsWith(".wasm"))}, glue ${sum(glue)}, bindings ${sum(ours)}`;
});
