// The service worker of the built page: it keeps the page's files, so that the page opens without a network.
//
// Each version of the page has a cache of its own, and a cache that has the document is complete: the document comes last. The
// document is always answered from the newest complete cache. So the page opens at once, and a new version shows at the next
// visit after the browser has fetched it. A new worker waits until no tab of the old version is left; only then it deletes the
// old caches, so what an open tab still has to load stays there. All files but the few of fixed name are named after their
// content, so whichever cache has one has the right one.

/** A file of the built page. */
interface File {
  /** Relative to the worker; empty for the document. */
  path: string;
  /** What `fetch` compares the bytes with: files of two versions, as during an upload to the host, are not kept together. */
  integrity: string;
}

/** What the build writes: all files, the document last, and a hash of them. */
declare const BUILT: { readonly files: readonly File[]; readonly version: string };

interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetching extends Event {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
/** What is used of `ServiceWorkerGlobalScope`: the types of workers and of documents exclude each other. */
interface Scope {
  readonly registration: { readonly scope: string };
  addEventListener(type: "install" | "activate", listener: (event: Extendable) => void): void;
  addEventListener(type: "fetch", listener: (event: Fetching) => void): void;
}

const worker = self as unknown as Scope;
const { files, version } = BUILT;
const { scope } = worker.registration;
/** Other pages of the same origin have caches, too. */
const ours = `tidegate-demo ${scope} `;

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(removeOld()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(scope)) event.respondWith(answer(request));
});

async function install(): Promise<void> {
  // A version that comes back is newer than the one that it replaces.
  const name = `${ours}${version} ${Date.now()}`;
  const cache = await caches.open(name);
  try {
    await Promise.all(files.slice(0, -1).map((file) => keep(cache, file)));
    await Promise.all(files.slice(-1).map((file) => keep(cache, file)));
  } catch (error) {
    await caches.delete(name);
    throw error;
  }
}

async function keep(cache: Cache, { path, integrity }: File): Promise<void> {
  const address = new URL(path, scope).href;
  // What the page has just loaded is not loaded again; what keeps its name is asked for anew.
  const named = path.startsWith("assets/");
  const response = await fetch(address, { integrity, cache: named ? "default" : "no-cache" });
  if (!response.ok) throw new Error(`${response.status} from ${address}`);
  await cache.put(address, response);
}

async function answer(request: Request): Promise<Response> {
  const { origin, pathname } = new URL(request.url);
  const place = `${origin}${pathname}`;
  const isDocument = place === scope || place === `${scope}index.html`;
  return (await find(isDocument ? scope : place)) ?? fetch(request);
}

/** Looks a file up, in the newest cache first. */
async function find(address: string): Promise<Response | undefined> {
  for (const cacheName of (await oldestFirst()).reverse()) {
    const found = await caches.match(address, { cacheName, ignoreVary: true });
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Deletes what is older than the newest complete cache. A newer one may be filling. */
async function removeOld(): Promise<void> {
  let complete = false;
  for (const cacheName of (await oldestFirst()).reverse()) {
    if (complete) await caches.delete(cacheName);
    else complete = (await caches.match(scope, { cacheName })) !== undefined;
  }
}

/** The names of the page's caches, in the order in which they were made. */
async function oldestFirst(): Promise<string[]> {
  return (await caches.keys()).filter((name) => name.startsWith(ours));
}
