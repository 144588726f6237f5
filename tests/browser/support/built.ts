// Builds a page with Vite, as for a static host, and serves what came out.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, preview } from "vite";

/** A built page; `close()` it. */
export interface Built {
  address: string;
  close(): Promise<void>;
}

/** Builds the page whose index.html is in `root`; `alias` puts files in the place of modules. */
export async function serveBuilt(root: string, alias: Record<string, string> = {}): Promise<Built> {
  const outDir = mkdtempSync(join(tmpdir(), "tidegate-built-"));
  const settings = {
    root,
    logLevel: "warn",
    resolve: { alias },
    build: { outDir, emptyOutDir: true },
  } as const;
  await build(settings);
  const server = await preview({ ...settings, preview: { port: 4273 } });
  const address = server.resolvedUrls?.local[0];
  if (address === undefined) throw new Error("Vite serves at no address");
  return {
    address,
    async close() {
      await server.close();
      rmSync(outDir, { recursive: true });
    },
  };
}
