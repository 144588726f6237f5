// A static host that can be stopped and started again, and given another folder: files below a path, compressed, with entity
// tags, and with the headers that a file `_headers` in the root asks for.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join, normalize } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { typeOf } from "../../packaging/support/site.ts";

const compressible = /^text|json|svg|wasm/;
/** The better one first. */
const ENCODINGS = ["br", "gzip"] as const;
/** Answers share the connection in pieces of so many bytes. */
const CHUNK = 8_192;
/** Brotli's quality, of 11. */
const [QUICK, BEST] = [5, 11];

/** How a request is to be answered. */
interface Answer {
  status: number;
  headers: Record<string, string>;
  body?: Buffer;
}

/** With a document, in which tests can run scripts. */
const NOT_FOUND: Answer = {
  status: 404,
  headers: { "content-type": "text/html" },
  body: Buffer.from("<title>404</title>"),
};

/** See the top of the file; `stop()` it. */
export class Host {
  /** The folder that is served. */
  folder: string;
  /** What was asked for, as paths below `path`. */
  readonly asked: string[] = [];
  readonly #path: string;
  readonly #bytesPerSecond: number;
  /** When the connection is free again. */
  #free = 0;
  readonly #compressed = new Map<string, Buffer>();
  #server: Server | undefined;
  #port = 0;

  /**
   * @param path where the folder is on the host, as "/club/films/"
   * @param bytesPerSecond what all answers together may take of the connection
   */
  constructor(folder: string, path: string, bytesPerSecond = Number.POSITIVE_INFINITY) {
    this.folder = folder;
    this.#path = path;
    this.#bytesPerSecond = bytesPerSecond;
  }

  get address(): string {
    return `http://127.0.0.1:${this.#port}${this.#path}`;
  }

  /** Compresses all files, as well as can be, so that no visitor waits for it. */
  compressAll(): void {
    for (const file of readdirSync(this.folder, { recursive: true, encoding: "utf8" })) {
      if (compressible.test(typeOf(file))) this.#compress(readFileSync(join(this.folder, file)), "br", BEST);
    }
  }

  /** At the same port as before. */
  async start(): Promise<void> {
    const server = createServer((request, response) => this.#handle(request, response));
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(this.#port, "127.0.0.1", resolve);
    });
    this.#port = (server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    server?.closeAllConnections();
    await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, headers, body = Buffer.alloc(0) } = this.#answer(request);
    response.writeHead(status, headers);
    for (let from = 0; from < body.length; from += CHUNK) {
      const chunk = body.subarray(from, from + CHUNK);
      await this.#turn(chunk.length);
      response.write(chunk);
    }
    response.end();
  }

  /** Waits until the connection has carried so many bytes more. */
  async #turn(bytes: number): Promise<void> {
    if (this.#bytesPerSecond === Number.POSITIVE_INFINITY) return;
    const now = performance.now();
    this.#free = Math.max(this.#free, now) + (bytes / this.#bytesPerSecond) * 1000;
    const wait = this.#free - now;
    await new Promise((resolve) => setTimeout(resolve, wait));
  }

  #answer({ url = "/", headers }: IncomingMessage): Answer {
    const { pathname } = new URL(url, "http://localhost");
    if (!pathname.startsWith(this.#path)) return NOT_FOUND;
    const below = normalize(decodeURIComponent(pathname.slice(this.#path.length))) || ".";
    this.asked.push(below);
    const file = join(this.folder, below === "./" || below === "." ? "index.html" : below);
    if (below.startsWith("..") || statSync(file, { throwIfNoEntry: false })?.isFile() !== true) {
      return NOT_FOUND;
    }
    const content = readFileSync(file);
    const common = { etag: `"${hash(content)}"`, vary: "accept-encoding", ...this.#extra(pathname) };
    if (headers["if-none-match"] === common.etag) return { status: 304, headers: common };
    const type = typeOf(file);
    const accepted = String(headers["accept-encoding"] ?? "");
    const encoding = compressible.test(type) ? ENCODINGS.find((one) => accepted.includes(one)) : undefined;
    const body = encoding === undefined ? content : this.#compress(content, encoding);
    const coded: Record<string, string> = encoding === undefined ? {} : { "content-encoding": encoding };
    const length = String(body.length);
    return { status: 200, headers: { ...common, ...coded, "content-type": type, "content-length": length }, body };
  }

  /** What `_headers` says of a path: lines that begin a rule, then its headers, indented. */
  #extra(pathname: string): Record<string, string> {
    const file = join(this.folder, "_headers");
    if (this.#path !== "/" || !existsSync(file)) return {};
    const rules = readFileSync(file, "utf8").split(/\n(?=\S)/);
    const lines = rules.flatMap((rule) => {
      const [pattern = "", ...said] = rule.trim().split(/\n\s*/);
      const fits = pattern.endsWith("*") ? pathname.startsWith(pattern.slice(0, -1)) : pathname === pattern;
      return fits ? said : [];
    });
    return Object.fromEntries(lines.map((line) => line.split(/:\s*(.*)/, 2) as [string, string]));
  }

  #compress(content: Buffer, encoding: (typeof ENCODINGS)[number], quality = QUICK): Buffer {
    const key = `${encoding} ${hash(content)}`;
    const known = this.#compressed.get(key);
    if (known !== undefined) return known;
    const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
    const made = encoding === "br" ? brotliCompressSync(content, { params }) : gzipSync(content);
    this.#compressed.set(key, made);
    return made;
  }
}

const hash = (content: Buffer): string => createHash("sha256").update(content).digest("base64url");
