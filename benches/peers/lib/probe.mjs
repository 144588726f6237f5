// One fresh process of one peer: how long it takes from the import to the first answer, and how much memory the whole workload
// takes. It is given the peer's name and the sizes, and prints both.
import { PEERS } from "./peer.mjs";
import { makeWorkload } from "./workload.mjs";

const [name, sizesText] = process.argv.slice(2);
const { items, signals } = JSON.parse(sizesText);
const collect = () => /** @type {{ gc?: () => void }} */ (globalThis).gc?.();

const few = makeWorkload({ items: 100, signals: 10 });
const began = performance.now();
const peerClass = await PEERS[name]();
const first = await peerClass.create(few, { log: false });
first.ingest(few.signals, 0, few.signals.count);
first.query(few.signals.now[few.signals.count - 1]);
const startup = (performance.now() - began) * 1e6;
await first.close();

const all = makeWorkload({ items, signals });
collect();
const before = process.memoryUsage.rss();
const peer = await peerClass.create(all, { log: false });
peer.ingest(all.signals, 0, signals);
collect();
const memory = process.memoryUsage.rss() - before;
await peer.close();
process.stdout.write(JSON.stringify({ startup, memory }));
