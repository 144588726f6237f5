// The public surface: a golden file that shows every change of it, and types that refuse what must not compile.
import { readFileSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { load } from "../../js/load.js";
import { tsc } from "../../tools/lib/bindings.mjs";
import { at } from "../../tools/lib/project.mjs";
import { attempt } from "../../tools/lib/run.mjs";
import { surface } from "./support/declarations.js";

const golden = at("tests", "golden", "api.d.ts");
const HEAD = `// The public surface of the package. TIDEGATE_BLESS=1 npm run test:js -- surface writes it anew.\n\n`;

describe("the public declarations", () => {
  let rolled: Awaited<ReturnType<typeof surface>>;
  beforeAll(async () => {
    rolled = await surface();
  }, 60_000);

  it("are those of tests/golden/api.d.ts", () => {
    const text = `${HEAD}${rolled.text}\n`;
    if (process.env.TIDEGATE_BLESS !== undefined) writeFileSync(golden, text);
    expect(text).toBe(readFileSync(golden, "utf8"));
  });

  it("name nothing that is not exported", () => {
    expect(rolled.hidden).toEqual([]);
  });
});

it("the kinds that the types name, and what the table beside them says, are those of a new database", async () => {
  const instance = await load(undefined);
  const core = instance.Core.create(0, [], new Float64Array(), 1n);
  const kinds = core.kinds().map(({ name, weight, halfLifeMs, seen, hide }) => ({
    name,
    weight,
    days: halfLifeMs / 86_400_000,
    role: seen ? "seen" : hide ? "hide" : "",
  }));
  core.free();
  const source = readFileSync(at("js", "inputs.ts"), "utf8");
  const union = /export type DefaultKind =(.*?);/s.exec(source)?.[1] ?? "";
  expect([...union.matchAll(/"(\w+)"/g)].map(([, name]) => name)).toEqual(kinds.map(({ name }) => name));
  const rows = source.matchAll(/^ \* \| `(\w+)` \| (−?)(\d+) \| (\d+) days \|\s*(\w*) \|$/gm);
  const table = [...rows].map(([, name, minus, weight, days, role]) => ({
    name,
    weight: Number(weight) * (minus ? -1 : 1),
    days: Number(days),
    role,
  }));
  expect(table).toEqual(kinds);
});

describe("types", () => {
  const compile = (project: string) =>
    attempt(process.execPath, [tsc, "-p", at("tests", "types", project), "--pretty", "false"], { silent: true });

  it("accept what is right and refuse what is wrong", async () => {
    expect(await compile("tsconfig.json")).toEqual({ ok: true, output: "" });
  });

  it("would be told apart if they accepted what is wrong", async () => {
    const { ok, output } = await compile("tsconfig.loose.json");
    expect(ok).toBe(false);
    const source = readFileSync(at("tests", "types", "refused.ts"), "utf8");
    const refused = source.match(/@ts-expect-error/g)?.length ?? 0;
    expect(output.match(/error TS2578/g)).toHaveLength(refused);
  });
});
