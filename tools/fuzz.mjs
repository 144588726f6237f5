// npm run fuzz: every target on the inputs that `npm test` gives it.
// npm run fuzz -- calls 600: one target for so many seconds, from where the last such run stopped.
// npm run fuzz -- calls path/to/input: one input again.
// npm run fuzz -- calls keep: what longer runs have found goes into the corpus, as far as it adds to it.
import { existsSync } from "node:fs";
import { buildFuzzer, fuzzBriefly, fuzzFor, keep, needFuzzer, replay, targets } from "./lib/fuzzer.mjs";
import { Failure, main, say } from "./lib/run.mjs";

const [target, how] = process.argv.slice(2);

await main(async () => {
  if (target !== undefined && !(target in targets)) {
    throw new Failure(`no target ${target}: there are ${Object.keys(targets).join(", ")}`);
  }
  await needFuzzer();
  const program = await buildFuzzer();
  for (const each of target === undefined ? Object.keys(targets) : [target]) {
    const { ok, says } = await act(program, each);
    say(`${ok ? "✓" : "✗"} ${each} ${says}`);
    if (!ok) process.exitCode = 1;
  }
});

/**
 * @param {string} program
 * @param {string} each
 */
async function act(program, each) {
  if (how === undefined) return fuzzBriefly(program, each);
  if (/^\d+$/.test(how)) return fuzzFor(program, each, Number(how));
  if (how === "keep") {
    await keep(program, each);
    return { ok: true, says: "has its corpus made anew" };
  }
  if (!existsSync(how)) throw new Failure(`${how} is neither a number of seconds nor a file nor "keep"`);
  const { ok } = await replay(program, each, how);
  return { ok, says: how };
}
