// Loading the WebAssembly module: once, again after a failure, and never hanging.
import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type * as Index from "../../js/index.js";

const ADDRESS = new URL("../../js/generated/tidegate_bg.wasm", import.meta.url);

let tidegate: typeof Index;

beforeEach(async () => {
  // Each test begins as a page does: with nothing loaded.
  vi.resetModules();
  tidegate = await import("../../js/index.js");
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const open = (wasm?: unknown) =>
  tidegate.open({ storage: "memory", ...(wasm === undefined ? {} : { wasm: wasm as string }) });
const code = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "opened",
    (error: { code?: string }) => error.code ?? String(error),
  );
const works = async (wasm?: unknown): Promise<void> => {
  const database = await open(wasm);
  database.signal({ user: 1, item: 2, kind: "like" });
  expect(database.profile(1).signals).toBe(1);
  await database.close();
};

describe("loading", () => {
  it("importing does nothing: no module is fetched or compiled, nothing global is made", async () => {
    const compile = vi.spyOn(WebAssembly, "compile");
    const fetched = vi.fn();
    vi.stubGlobal("fetch", fetched);
    const before = Object.getOwnPropertyNames(globalThis);
    vi.resetModules();
    await import("../../js/index.js");
    expect(Object.getOwnPropertyNames(globalThis)).toEqual(before);
    expect([compile.mock.calls, fetched.mock.calls]).toEqual([[], []]);
  });

  it("concurrent opens share one compilation", async () => {
    const compile = vi.spyOn(WebAssembly, "compile");
    const all = await Promise.all([open(), open(), open()]);
    await works();
    expect(compile).toHaveBeenCalledOnce();
    for (const database of all) await database.close();
  });

  it("takes a module, its bytes, its address, and the promise of a response", async () => {
    const bytes = await readFile(ADDRESS);
    const response = () => Promise.resolve(new Response(bytes, { headers: { "content-type": "application/wasm" } }));
    const untyped = () => Promise.resolve(new Response(bytes, { headers: { "content-type": "text/plain" } }));
    const sources = [
      await WebAssembly.compile(bytes),
      bytes,
      new Uint8Array(bytes).buffer,
      ADDRESS,
      ADDRESS.href,
      response(),
      untyped(),
    ];
    for (const source of sources) {
      vi.resetModules();
      tidegate = await import("../../js/index.js");
      await works(source);
    }
  });

  it("fetches an address that is no file", async () => {
    const bytes = await readFile(ADDRESS);
    const fetched = vi.fn((_address: unknown) => Promise.resolve(new Response(bytes)));
    vi.stubGlobal("fetch", fetched);
    await works("https://example.org/tidegate.wasm");
    expect(fetched.mock.calls.map(([address]) => String(address))).toEqual(["https://example.org/tidegate.wasm"]);
  });

  it("what fails is WasmUnavailable with its cause, and can be tried again", async () => {
    vi.stubGlobal("fetch", () => Promise.resolve(new Response("no", { status: 404, statusText: "Not Found" })));
    const failed = await open("https://example.org/none.wasm").catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: "WasmUnavailable", name: "TidegateError" });
    expect(String((failed as Error).cause)).toContain("404");
    for (const wrong of [Uint8Array.of(1, 2, 3), "file:///nowhere/tidegate.wasm", "not an address", {}]) {
      expect(await code(open(wrong))).toBe("WasmUnavailable");
    }
    expect(await code(open(Promise.reject(new Error("offline"))))).toBe("WasmUnavailable");
    await works();
  });

  it("another module is refused, and does no harm", async () => {
    const empty = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
    expect(await code(open(empty))).toBe("WasmUnavailable");
    await works();
  });

  it("a refusal by the page's policy is WasmUnavailable", async () => {
    vi.spyOn(WebAssembly, "compile").mockRejectedValueOnce(
      new WebAssembly.CompileError("violates Content Security Policy"),
    );
    expect(await code(open())).toBe("WasmUnavailable");
    await works();
  });

  it("a module that never comes is WasmUnavailable within 5 s", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const failed = code(open(new Promise(() => {})));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await failed).toBe("WasmUnavailable");
    vi.useRealTimers();
    await works();
  });

  it("a caller with a good source does not fail with another caller's bad one", async () => {
    const results = await Promise.all([code(open("file:///nowhere/tidegate.wasm")), code(open(ADDRESS)), code(open())]);
    expect(results).toEqual(["WasmUnavailable", "opened", "opened"]);
  });
});
