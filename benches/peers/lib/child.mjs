// A process that measures one peer: it is told each step on a line of its input, and answers on a line of its output.
import { createInterface } from "node:readline";
import { Actor } from "./actor.mjs";
import { PEERS } from "./peer.mjs";

const [name, sizesText] = process.argv.slice(2);
const sizes = JSON.parse(sizesText);

/** What the process has had of the processor, with all of its threads. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

const actor = new Actor(await PEERS[name](), sizes, sizes.cpu ? processorTime : undefined);

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
