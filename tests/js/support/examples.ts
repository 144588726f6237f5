// Examples in Markdown and in doc comments, as programs. `expression; // → value` is what makes an example a test: it says what
// comes out, and `// → throws Code` what is refused.
import { readdirSync, readFileSync } from "node:fs";
import { at } from "../../../tools/lib/project.mjs";

/** One example. */
export interface Example {
  /** Where it is: `README.md:12`. */
  place: string;
  /** It is for a browser, whose globals it gets; its types are not checked. */
  browser: boolean;
  program: string;
}

/** What an example may use without saying where it comes from, as long as it imports nothing. */
const PRELUDE = `import { open, restore, TidegateError } from "tidegate";
import { fileStore } from "tidegate/node";
`;
const TIDE = `const tide = await open({ storage: "memory", outbox: true });
tide.upsertItems([{ id: "alien", categories: ["sci-fi"] }, { id: "heat", categories: ["crime"] }]);
`;

/** All examples of the README, of docs/ and of the public doc comments. */
export function examples(): Example[] {
  return [...markdown().flatMap(fenced), ...sources().flatMap(commented)].map((example) => ({
    ...example,
    program: program(example),
  }));
}

/** The languages of all fences in Markdown, each with where it is first used. */
export function languages(): Map<string, string> {
  const all = markdown().flatMap((file) =>
    [...read(file).matchAll(/^```([^\n]*)\n.*?^```$/gms)].map(
      ({ 1: info = "", index }) => [info, place(file, index)] as const,
    ),
  );
  return new Map(all.reverse());
}

function markdown(): string[] {
  const docs = readdirSync(at("docs")).filter((name) => name.endsWith(".md"));
  return ["README.md", ...docs.map((name) => `docs/${name}`)];
}

function sources(): string[] {
  const all = readdirSync(at("js")).filter((name) => name.endsWith(".ts"));
  return all.map((name) => `js/${name}`);
}

/** Blocks of ```js, and what a reader does not see: a comment "and then" behind one runs after it. */
function fenced(file: string): Example[] {
  const blocks = read(file).matchAll(/^```js( browser)?\n(.*?)^```$(?:\n<!-- and then\n(.*?)^-->$)?/gms);
  return [...blocks].map(({ 1: browser, 2: code = "", 3: then = "", index }) => ({
    place: place(file, index),
    browser: browser !== undefined,
    program: code + then,
  }));
}

function commented(file: string): Example[] {
  const blocks = read(file).matchAll(/^ *\* @example\n *\* ```js\n(.*?)^ *\* ```$/gms);
  return [...blocks].map(({ 1: code = "", index }) => ({
    place: place(file, index),
    browser: false,
    program: code.replace(/^ *\* ?/gm, ""),
  }));
}

function read(file: string): string {
  return readFileSync(at(file), "utf8");
}

function place(file: string, index: number): string {
  return `${file}:${read(file).slice(0, index).split("\n").length}`;
}

function program({ place, program: code }: Example): string {
  const free = !/^import /m.test(code);
  const given = free ? PRELUDE + (/\b(?:const|let) tide\b/.test(code) ? "" : TIDE) : "";
  const lines = code.split("\n").map((line) => (line.includes("→") ? assertion(line, place) : line));
  return `import assert from "node:assert/strict";\n${given}${lines.join("\n")}`;
}

function assertion(line: string, place: string): string {
  const [, indent, name, expression, said] = /^(\s*)(?:const (\w+) = )?(.*); *\/\/ → (.*)$/.exec(line) ?? [];
  if (expression === undefined || said === undefined) throw new Error(`${place}: what comes out of this? ${line}`);
  const code = /^throws (\w+)$/.exec(said)?.[1];
  if (code !== undefined) return `${indent}await assert.rejects(async () => ${expression}, { code: "${code}" });`;
  // In words after the value, what it means.
  const value = said.replace(/(?<=^(?:"[^"]*"|[\w.]+|\[.*?\]|\{.*?\})), .*$/, "");
  const keep = name === undefined ? "" : `const ${name} = ${expression}; `;
  return `${indent}${keep}assert.deepEqual(${name ?? expression}, ${value});`;
}
