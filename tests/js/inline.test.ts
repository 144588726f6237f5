// `tidegate/inline`: the module comes with the JavaScript.
import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type * as Inline from "../../js/inline.js";

const ADDRESS = new URL("../../js/generated/tidegate_bg.wasm", import.meta.url);

let tidegate: typeof Inline;

beforeEach(async () => {
  vi.resetModules();
  tidegate = await import("../../js/inline.js");
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

it("gives all that `tidegate` gives", async () => {
  const plain = await import("../../js/index.js");
  expect(Object.keys(tidegate).sort()).toEqual(Object.keys(plain).sort());
  expect(tidegate.TidegateError).toBe(plain.TidegateError);
});

it.each([
  ["of Node", process.getBuiltinModule],
  ["of the web", undefined],
])("opens and restores where nothing can be fetched, with what inflates %s", async (_, getBuiltinModule) => {
  vi.stubGlobal("fetch", () => Promise.reject(new Error("offline")));
  vi.spyOn(globalThis, "process", "get").mockReturnValue({ ...process, getBuiltinModule } as typeof process);
  const database = await tidegate.open();
  database.signal({ user: 1, item: 2, kind: "like" });
  const copy = await tidegate.restore(database.snapshot(), { storage: "memory" });
  expect(copy.profile(1).signals).toBe(1);
  await database.close();
  await copy.close();
});

it("unpacks nothing at import, and once for all databases", async () => {
  const builtin = vi.spyOn(process, "getBuiltinModule");
  const inflated = () => builtin.mock.calls.filter(([id]) => id === "node:zlib").length;
  vi.resetModules();
  tidegate = await import("../../js/inline.js");
  expect(inflated()).toBe(0);
  const all = await Promise.all([tidegate.open(), tidegate.open({ name: "other" })]);
  expect(inflated()).toBe(1);
  for (const database of all) await database.close();
});

it("is the very module that is in the package", async () => {
  const compile = vi.spyOn(WebAssembly, "compile");
  await (await tidegate.open()).close();
  const given = new Uint8Array(compile.mock.lastCall?.[0] as ArrayBuffer);
  expect(Buffer.compare(given, await readFile(ADDRESS))).toBe(0);
});

it("takes the module that it is told to before its own", async () => {
  const failed = tidegate.open({ wasm: "file:///nowhere/tidegate.wasm" });
  await expect(failed).rejects.toMatchObject({ code: "WasmUnavailable" });
});

it("checks the options as ever", async () => {
  for (const wrong of [5, null, "films"]) {
    await expect(tidegate.open(wrong as never)).rejects.toMatchObject({ code: "InvalidArgument", argument: "options" });
  }
  await expect(tidegate.open({ name: "" })).rejects.toMatchObject({ code: "InvalidArgument", argument: "name" });
});
