// A process that measures one peer: it is told each step on a line of its input, and answers on a line of its output.
import { createInterface } from "node:readline";
import { Actor } from "./actor.mjs";
import { PEERS } from "./peer.mjs";

const [name, sizes] = process.argv.slice(2);
const actor = new Actor(await PEERS[name](), JSON.parse(sizes));

/** @param {unknown} answer */
const tell = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);

for await (const line of createInterface({ input: process.stdin })) {
  const { warm, step } = JSON.parse(line);
  if (warm) {
    await actor.warm(warm);
    tell({});
  } else tell(await actor.take(step));
}
await actor.end();
