// The store in files: what every store does, and what crashes, other processes and people do to files.
import { spawn } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { open as openFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type OpenOptions, open, type Store, type Tidegate, type TidegateError } from "../../js/index.js";
import { fileStore } from "../../js/node.js";
import { acceptStore } from "./storage-acceptance.js";
import { Clock, T0 } from "./support/clock.js";
import { fillSample, mark, marks, SIGNALS } from "./support/database.js";
import { expectReject, expectThrow } from "./support/errors.js";

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

let directory: string;
let errors: TidegateError[];

beforeEach(() => {
  vi.restoreAllMocks();
  directory = mkdtempSync(join(tmpdir(), "tidegate-"));
  errors = [];
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

const handle = await openFile(fileURLToPath(import.meta.url));
/** What all open files do. */
const files = Object.getPrototypeOf(handle) as typeof handle;
await handle.close();
const failing = (method: "write" | "datasync", code: string) => () => {
  vi.spyOn(files, method).mockRejectedValueOnce(Object.assign(new Error(code), { code }));
};

acceptStore("a directory", () => {
  const place = join(directory ?? "", "made", "on the way");
  return {
    open: () => fileStore(place),
    fail: { full: failing("write", "ENOSPC"), aborted: failing("datasync", "EIO") },
  };
});

const on = (options: OpenOptions = {}): Promise<Tidegate> =>
  open({
    storage: fileStore(directory),
    now: new Clock().now,
    signals: SIGNALS,
    onError: (error) => errors.push(error),
    ...options,
  });

const file = (name: string): string => join(directory, name);

/** Runs a script in a process of its own; gives back what it prints. */
function run(script: string): { done: Promise<string>; kill: () => void; pid: number } {
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  const done = new Promise<string>((resolve) => child.on("close", () => resolve(text)));
  return { done, kill: () => child.kill("SIGKILL"), pid: child.pid ?? 0 };
}

describe("a database in files", () => {
  it("is there again, byte by byte, after close and reopen", async () => {
    const database = await fillSample(await on());
    expect(database.persistent).toBe(true);
    const before = database.snapshot();
    await database.close();
    expect(readdirSync(directory).sort()).toEqual(["log", "snapshot"]);
    const again = await on();
    expect(again.snapshot()).toEqual(before);
    await again.close();
  });

  it("can be opened again after it was closed", async () => {
    const storage = fileStore(directory);
    await (await fillSample(await on({ storage }))).close();
    const again = await on({ storage });
    expect(marks(again, "ann")).toEqual({ film: 1 });
    await again.close();
  });

  it("two of one process share it as tabs do", async () => {
    const [a, b] = [await on({ flushDelay: "1h" }), await on({ flushDelay: "1h" })];
    mark(a, "ann", 1);
    mark(b, "ann", 2);
    await a.flush();
    await b.flush();
    expect(marks(b, "ann")).toEqual({ 1: 1, 2: 1 });
    await vi.waitFor(() => expect(a.snapshot()).toEqual(b.snapshot()));
    await a.close();
    mark(b, "ann", 3);
    await b.close();
    expect(existsSync(file("lock"))).toBe(false);
  });

  it("R10: a leave is written down before it returns, and honoured by the next open", async () => {
    const database = await fillSample(await on());
    database.leave("ann", "club");
    const [user, club] = [database.idOf("ann"), database.idOf("club")];
    expect(readFileSync(file("tombstones"), "utf8")).toMatch(new RegExp(`^${user}:${club}:\\d+ ${T0} \\d+\n$`));
    await database.flush();
    expect(existsSync(file("tombstones"))).toBe(false);
    database.rejoin("ann", "club");
    await database.close();
    // As a process that was killed after another leave; the last line was cut off.
    writeFileSync(file("tombstones"), `${user}:${club}:9 ${T0} 7\n${user}:layer:9 ${T0} 8 again\n${user}:5`);
    const again = await on();
    expect(again.membership("ann", "club")).toMatchObject({ state: "Left", epoch: 1 });
    expect(again.communityLayerStatus("ann")).toMatchObject({ status: "Left" });
    expect(existsSync(file("tombstones"))).toBe(false);
    await again.close();
  });

  it("R18: deleted under an open database, it is not written back", async () => {
    const database = await fillSample(await on());
    const told: unknown[] = [];
    database.on("change", (change) => told.push(change));
    rmSync(file("log"));
    rmSync(file("snapshot"));
    mark(database, "ann", "secret", "club");
    await database.flush();
    expect(told).toEqual([{ type: "reset" }]);
    expect(database.profile("ann").signals).toBe(0);
    mark(database, "ann", "new");
    await database.close();
    expect(readFileSync(file("log")).toString("latin1")).not.toMatch(/secret|club/);
    const again = await on();
    expect(marks(again, "ann")).toEqual({ new: 1 });
    await again.close();
  });

  it("compacts, and the log does not grow without bound", async () => {
    const database = await on();
    for (let count = 0; count < 40; count++) {
      database.upsertItems([
        { id: count % 4, categories: Array.from({ length: 20 }, (_, n) => `${count} ${n} ${"x".repeat(500)}`) },
      ]);
      await database.flush();
    }
    await database.close();
    expect(readFileSync(file("log")).length).toBeLessThan(150_000);
    const again = await on();
    expect(again.stats().items).toBe(4);
    await again.close();
  });
});

describe("bytes that a crash left", () => {
  let store: Store;
  beforeEach(async () => {
    store = fileStore(directory);
    await store.create(bytes(0));
    await store.transact(0, () => bytes(1, 1, 1), "strict");
    await store.transact(1, () => bytes(2, 2, 2), "strict");
    store.close();
    await vi.waitFor(() => expect(existsSync(file("lock"))).toBe(false));
  });

  it("of a row that was cut off, wherever, are dropped, told and kept aside", async () => {
    const whole = readFileSync(file("log"));
    const row = 11;
    for (let cut = 1; cut < row; cut++) {
      writeFileSync(file("log"), whole.subarray(0, whole.length - cut));
      const again = fileStore(directory);
      const { torn, ...stored } = (await again.load()) ?? {};
      expect({ stored, code: torn?.code }).toEqual({
        stored: { snapshot: bytes(0), position: 0, rows: [bytes(1, 1, 1)] },
        code: "CorruptEvents",
      });
      expect(await again.load()).not.toHaveProperty("torn");
      await again.transact(1, () => bytes(3), "strict");
      expect((await again.load())?.rows).toEqual([bytes(1, 1, 1), bytes(3)]);
      again.close();
      await vi.waitFor(() => expect(existsSync(file("lock"))).toBe(false));
    }
    expect(readdirSync(file("quarantine"))).toHaveLength(row - 1);
  });

  it("as zeros behind the last row are dropped, too", async () => {
    appendFileSync(file("log"), new Uint8Array(100));
    const again = fileStore(directory);
    expect(await again.load()).toMatchObject({
      rows: [bytes(1, 1, 1), bytes(2, 2, 2)],
      torn: { code: "CorruptEvents" },
    });
    again.close();
  });

  it("between the two files of a compaction are whole", async () => {
    const log = readFileSync(file("log"));
    const again = fileStore(directory);
    await again.load();
    await again.compact(1, bytes(7));
    // The new snapshot is there, the new log is not.
    writeFileSync(file("log"), log);
    expect(await again.load()).toEqual({ snapshot: bytes(7), position: 1, rows: [bytes(2, 2, 2)] });
    await again.transact(2, () => bytes(3), "strict");
    expect((await again.load())?.rows).toEqual([bytes(2, 2, 2), bytes(3)]);
    again.close();
  });

  it("that are damaged are CorruptSnapshot or CorruptEvents and are not touched", async () => {
    for (const [name, from, to] of [
      ["snapshot", 0, 32],
      ["log", 0, 36],
    ] as const) {
      const whole = readFileSync(file(name));
      for (let index = from; index < to; index++) {
        const damaged = Uint8Array.from(whole, (byte, at) => (at === index ? byte ^ 0x11 : byte));
        writeFileSync(file(name), damaged);
        const again = fileStore(directory);
        const code = await again.load().then(
          () => "loaded",
          (error: TidegateError) => error.code,
        );
        expect(["CorruptSnapshot", "CorruptEvents"], `${name} ${index}`).toContain(code);
        expect(Uint8Array.from(readFileSync(file(name)))).toEqual(damaged);
        again.close();
      }
      writeFileSync(file(name), whole);
    }
    truncateSync(file("snapshot"), 0);
    const again = fileStore(directory);
    await expectReject(again.load(), "CorruptSnapshot");
    await again.quarantine();
    expect(await again.load()).toBeNull();
    again.close();
  });

  it("of a newer layout are UnsupportedVersion and are not touched", async () => {
    for (const name of ["log", "snapshot"]) {
      const whole = readFileSync(file(name));
      writeFileSync(
        file(name),
        Uint8Array.from(whole, (byte, at) => (at === 7 ? 0x32 : byte)),
      );
      const again = fileStore(directory);
      await expectReject(again.load(), "UnsupportedVersion");
      again.close();
      writeFileSync(file(name), whole);
    }
  });

  it("with a snapshot missing are not taken for nothing", async () => {
    rmSync(file("snapshot"));
    const again = fileStore(directory);
    await expectReject(again.load(), "CorruptSnapshot");
    again.close();
  });

  it("are told to onError when a database opens", async () => {
    rmSync(directory, { recursive: true });
    await (await fillSample(await on())).close();
    appendFileSync(file("log"), bytes(9, 0, 0, 0));
    const database = await on();
    expect(errors.map(({ code }) => code)).toEqual(["CorruptEvents"]);
    expect(marks(database, "ann")).toEqual({ film: 1 });
    await database.close();
  });
});

describe("the lock", () => {
  it("makes a second process Blocked, and is taken over when its process is dead", async () => {
    // What another live process wrote: this one's parent will do.
    writeFileSync(file("lock"), `${process.ppid} ? held\n`);
    await expectReject(fileStore(directory).load(), "Blocked");
    const { done, pid } = run("");
    await done;
    writeFileSync(file("lock"), `${pid} ? dead\n`);
    const store = fileStore(directory);
    expect(await store.load()).toBeNull();
    expect(readFileSync(file("lock"), "utf8")).toMatch(new RegExp(`^${process.pid} `));
    store.close();
    await vi.waitFor(() => expect(readdirSync(directory)).toEqual([]));
  });

  it.runIf(process.platform === "linux")("is taken over when its number has gone to another process", async () => {
    writeFileSync(file("lock"), `${process.ppid} 1 old\n`);
    const store = fileStore(directory);
    expect(await store.load()).toBeNull();
    store.close();
  });

  it("is not left behind by a process that is killed, as far as the next one is concerned", async () => {
    const script = `
      import { takeLock } from ${JSON.stringify(new URL("../../pkg/dist/file-lock.js", import.meta.url).href)};
      takeLock(${JSON.stringify(file("lock"))});
      console.log("locked");
      setInterval(() => {}, 1000);`;
    const holder = run(script);
    await vi.waitFor(() => expect(existsSync(file("lock"))).toBe(true), 10_000);
    await expectReject(fileStore(directory).load(), "Blocked");
    holder.kill();
    await holder.done;
    const store = fileStore(directory);
    expect(await store.load()).toBeNull();
    store.close();
  });
});

it("what is no path is InvalidArgument, and a directory that cannot be made is Storage", async () => {
  for (const wrong of ["", 5, null, undefined]) {
    expectThrow(() => fileStore(wrong as string), "InvalidArgument", "directory");
  }
  writeFileSync(file("plain"), "");
  await expectReject(fileStore(file("plain")).load(), "Storage");
  await expectReject(open({ storage: fileStore(join(file("plain"), "deeper")) }), "Storage");
});
