// The public declarations of the package, rolled up from what the compiler emits: for each entry the names that it exports, with
// their declarations and without comments.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { tsc } from "../../../tools/lib/bindings.mjs";
import { at } from "../../../tools/lib/project.mjs";
import { run } from "../../../tools/lib/run.mjs";

/** The entries of pkg/package.json with declarations of js/, the main one first. */
const ENTRIES = { tidegate: "index", "tidegate/inline": "inline", "tidegate/node": "node" };

interface Declaration {
  name: string;
  module: string;
  text: string;
}

/** One emitted .d.ts: what it declares, and where what it exports is declared. */
interface Module {
  declared: Map<string, string>;
  exported: { names?: string[]; from: string }[];
}

/** The roll-up, and what it names without exporting it. */
export async function surface(): Promise<{ text: string; hidden: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), "tidegate-surface-"));
  try {
    const flags = ["--emitDeclarationOnly", "--removeComments", "--declarationMap", "false"];
    await run(process.execPath, [tsc, "-p", at("tsconfig.build.json"), "--outDir", folder, ...flags], { silent: true });
    return rollUp((module) => readFileSync(join(folder, `${module}.d.ts`), "utf8"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function rollUp(read: (module: string) => string): { text: string; hidden: string[] } {
  const modules = new Map<string, Module>();
  const parsed = (name: string): Module => {
    const known = modules.get(name) ?? parse(read(name), name);
    modules.set(name, known);
    return known;
  };
  const main = exportsOf(ENTRIES.tidegate, parsed);
  const sections = Object.entries(ENTRIES).map(([entry, module]) => {
    const all = exportsOf(module, parsed);
    const own = all.filter((one) => module === ENTRIES.tidegate || !main.some((other) => other.text === one.text));
    // What an entry exports again by another way is in it still.
    const again = all.length - own.length === main.length ? ['export * from "tidegate";'] : [];
    return [`// ${entry}`, ...again, ...own.map(({ text }) => text)].join("\n\n");
  });
  // Written by hand, since it is about a file that no compiler makes.
  sections.push(
    `// tidegate/wasm\n\n${readFileSync(at("pkg", "wasm.d.ts"), "utf8")
      .replace(/^\/\/.*\n/gm, "")
      .trim()}`,
  );
  const names = new Set(main.map(({ name }) => name));
  const declared = new Set([...modules.values()].flatMap(({ declared }) => [...declared.keys()]));
  const hidden = main
    .flatMap(({ text }) => text.match(/\b[A-Z]\w*/g) ?? [])
    .filter((name) => declared.has(name) && !names.has(name));
  return { text: sections.join("\n\n"), hidden };
}

/** What a module exports, by name. */
function exportsOf(module: string, parsed: (module: string) => Module): Declaration[] {
  const { declared, exported } = parsed(module);
  const own = [...declared].map(([name, text]) => ({ name, module, text }));
  const others = exported.flatMap(({ names, from }) => {
    const all = exportsOf(from, parsed);
    return names === undefined ? all : names.map((name) => all.find((one) => one.name === name) ?? missing(name, from));
  });
  // A module's own export stands before one of the same name that comes with a star.
  const rest = others.filter(({ name }) => !declared.has(name));
  return [...own, ...rest].sort((left, right) => (left.name < right.name ? -1 : 1));
}

function parse(source: string, module: string): Module {
  const declared = new Map<string, string>();
  const exported: Module["exported"] = [];
  // The compiler begins each statement, and nothing else but a closing brace, at the margin.
  for (const statement of source.split(/\n(?=[^\s}])/)) {
    const text = statement.trim();
    const declaration = /^export (?:declare )?(?:interface|type|class|function|const) (\w+)/.exec(text);
    const from = /^export (?:type )?(\*|\{[^}]*\}) from "\.\/(.*)\.js";$/.exec(text);
    if (from) exported.push(reexport(String(from[1]), posix.join(posix.dirname(module), String(from[2]))));
    else if (declaration) declared.set(String(declaration[1]), readable(text));
    else if (!/^(import |export \{\};|\/\/\/)/.test(text)) throw new Error(`${module}.d.ts: what is this? ${text}`);
  }
  return { declared, exported };
}

function reexport(what: string, from: string): Module["exported"][number] {
  if (what === "*") return { from };
  const names = what.slice(1, -1).split(",");
  return { from, names: names.map((name) => name.replace(/^\s*type /, "").trim()) };
}

/** A long union has a line for each member, so that a change of one is a line. */
function readable(text: string): string {
  const union = text.includes("\n") ? null : /^(export type \w+ = )(.* \| .*);$/.exec(text);
  if (union === null || text.length <= 100) return text;
  return `${String(union[1]).trimEnd()}${String(union[2])
    .split(" | ")
    .map((member) => `\n    | ${member}`)
    .join("")};`;
}

function missing(name: string, module: string): never {
  throw new Error(`${module}.d.ts has no ${name}`);
}
