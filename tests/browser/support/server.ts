// A server that a page tells what it did. It outlives the page's browser.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Takes what a page tells, and gives the answer. */
export type Listener<T> = (told: T) => unknown;

/** See the top of the file; `close()` it. */
export interface FactServer<T> {
  address: string;
  /** Who listens now. */
  listen(listener: Listener<T>): void;
  close(): Promise<void>;
}

export async function serveFacts<T>(): Promise<FactServer<T>> {
  let listener: Listener<T> = () => null;
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => {
      body += text;
    });
    // What a killed browser sent only half is not told.
    request.on("end", () => {
      const answer = listener(JSON.parse(body) as T);
      response.setHeader("access-control-allow-origin", "*");
      response.end(JSON.stringify(answer));
    });
    request.on("error", () => {});
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}/`,
    listen(next) {
      listener = next;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve())));
    },
  };
}
