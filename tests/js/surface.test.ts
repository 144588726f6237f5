// The public surface: a golden file that shows every change of it, and types that refuse what must not compile.
import { readFileSync, writeFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { type DefaultKind, open } from "../../js/index.js";
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
  });

  it("are those of tests/golden/api.d.ts", () => {
    const text = `${HEAD}${rolled.text}\n`;
    if (process.env.TIDEGATE_BLESS !== undefined) writeFileSync(golden, text);
    expect(text).toBe(readFileSync(golden, "utf8"));
  });

  it("name nothing that is not exported", () => {
    expect(rolled.hidden).toEqual([]);
  });
});

it("the kinds that the types name are those of a new database", async () => {
  const tide = await open({ storage: "memory" });
  // Every kind of the type has to be here, and no other may.
  const kinds: Record<DefaultKind, number> = {
    impression: 0,
    view: 1,
    click: 2,
    like: 3,
    save: 4,
    share: 5,
    skip: 6,
    dislike: 7,
    hide: 8,
  };
  for (const [kind, number] of Object.entries(kinds)) expect(tide.kindOf(kind)).toBe(number);
  const all = await open({ storage: "memory", signals: { other: {} } });
  expect(all.kindOf("other"), "no kind is missing").toBe(Object.keys(kinds).length);
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
