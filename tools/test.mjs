// npm test: installs what is missing, builds, runs all tests. `npm test -- js browser` runs some steps only;
// `npm run test:js -- decay` hands "decay" to the step's own runner as a filter.
import { existsSync, rmSync } from "node:fs";
import { buildBindings } from "./lib/bindings.mjs";
import { needBrowsers, needChromium, needWasmBrowsers } from "./lib/browsers.mjs";
import { cargoCounts, none, vitestCounts } from "./lib/counts.mjs";
import { buildFuzzer, fuzzBriefly, needFuzzer, targets } from "./lib/fuzzer.mjs";
import { needCargo, needPackages, needTool, needWasmTarget } from "./lib/needs.mjs";
import { at, examples } from "./lib/project.mjs";
import { attempt, Failure, main, say } from "./lib/run.mjs";
import { runSteps } from "./lib/steps.mjs";
import { buildWasm, locked } from "./lib/wasm.mjs";

const separator = process.argv.indexOf("--");
const wanted = process.argv.slice(2, separator < 0 ? undefined : separator);
const filter = separator < 0 ? [] : process.argv.slice(separator + 1);

// A browser under load takes longer to start than the runner's defaults allow.
const patience = { WASM_BINDGEN_TEST_DRIVER_TIMEOUT: "60", WASM_BINDGEN_TEST_TIMEOUT: "300" };

// The same cases in every run, so that a change is what a failure comes from; `cargo test` by itself tries others.
const sameCases = { PROPTEST_RNG_SEED: process.env.PROPTEST_RNG_SEED ?? "1" };

const steps = [
  {
    name: "rust",
    title: "cargo test",
    needs: [needCargo],
    run: () => cargo("cargo", ["test", "--no-fail-fast", ...locked, ...filter], sameCases),
  },
  { name: "fuzz", title: "the fuzz targets, briefly", needs: [needFuzzer], run: runFuzzer },
  {
    name: "build",
    title: "the package",
    needs: [needWasmTarget, () => needTool("wasm-bindgen")],
    run: async () => {
      await buildWasm();
      await buildBindings();
      return { ok: true };
    },
  },
  { name: "js", title: "vitest in Node", needs: [], run: () => vitest("js") },
  ...[["--node"], ["--headless", "--chrome"], ["--headless", "--firefox"]].map((where) => ({
    name: `wasm${where.at(-1)?.slice(1)}`,
    title: `wasm-pack test ${where.join(" ")}`,
    needs: [
      needWasmTarget,
      () => needTool("wasm-bindgen"),
      () => needTool("wasm-pack"),
      ...(where.includes("--headless") ? [needWasmBrowsers] : []),
    ],
    run: () => {
      // What stands before the second "--" would also go to `cargo build`.
      const rest = filter.length > 0 ? ["--", "--", ...filter] : [];
      return cargo("wasm-pack", ["test", ...where, ...rest], patience);
    },
  })),
  {
    name: "browser",
    title: "the library and the page in Chromium, Firefox and WebKit",
    needs: [needBrowsers],
    run: () => vitest("browser"),
  },
  { name: "example", title: "npm run example", needs: [needCargo], run: runExamples },
  {
    name: "packaging",
    title: "the packed package in apps, installed and run as its users would",
    needs: [needChromium],
    run: () => vitest("packaging", `--reporter=${at("tests", "packaging", "support", "table.ts")}`),
  },
];

await main(async () => {
  const chosen = choose();
  await needPackages();
  for (const need of new Set(chosen.flatMap((step) => step.needs))) await need();
  await runSteps(chosen);
});

/** The steps named, "wasm" being all three; and the build before those that use it. */
function choose() {
  for (const name of wanted) {
    if (!steps.some((step) => matches(step, name))) {
      throw new Failure(`no step ${name}: there are ${steps.map((step) => step.name).join(", ")}`);
    }
  }
  if (wanted.length === 0) return steps;
  const usesBuild = wanted.some((name) => ["js", "browser", "example", "packaging"].includes(name));
  const names = usesBuild ? ["build", ...wanted] : wanted;
  return steps.filter((step) => names.some((name) => matches(step, name)));
}

/**
 * @param {{ name: string }} step
 * @param {string} name
 */
function matches(step, name) {
  return step.name === name || step.name.startsWith(`${name}-`);
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
async function cargo(command, args, env) {
  const { ok, output } = await attempt(command, args, { live: true, env });
  return { ok, counts: cargoCounts(output) };
}

/**
 * @param {"js" | "browser" | "packaging"} project a project of vitest.config.ts
 * @param {string[]} more options
 */
async function vitest(project, ...more) {
  const report = at("node_modules", ".cache", "tidegate", `vitest-${project}.json`);
  rmSync(report, { force: true });
  const args = ["run", "--project", project, ...filter];
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const program = at("node_modules", "vitest", "vitest.mjs");
  const { ok } = await attempt(process.execPath, [program, ...args, ...reporters, ...more], { live: true });
  return { ok, counts: existsSync(report) ? vitestCounts(report) : none() };
}

/** An example is a program that ends well or does not. */
async function runExamples() {
  let passed = 0;
  for (const [command, args] of examples) {
    const { ok } = await attempt(command, args, { live: true });
    if (ok) passed++;
  }
  return { ok: passed === examples.length, counts: { ...none(), passed, failed: examples.length - passed } };
}

/** Each target on a fixed number of inputs; what it says is why it fails and how to see that again, or how far it came. */
async function runFuzzer() {
  const program = await buildFuzzer();
  let passed = 0;
  const chosen = Object.keys(targets).filter((target) => filter.every((part) => target.includes(part)));
  for (const target of chosen) {
    const { ok, says } = await fuzzBriefly(program, target);
    say(`  ${says}`);
    if (ok) passed++;
  }
  return { ok: passed === chosen.length, counts: { ...none(), passed, failed: chosen.length - passed } };
}
