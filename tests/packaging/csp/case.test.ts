import { afterAll, beforeAll, expect, it } from "vitest";
import { App } from "../support/app.ts";
import { type Site, serve } from "../support/site.ts";
import { note } from "../support/told.ts";
import { visit } from "../support/visit.ts";

const strict = "default-src 'none'; img-src data:; script-src 'self'";
const policies = {
  with: `${strict} 'wasm-unsafe-eval'; connect-src 'self'`,
  without: `${strict}; connect-src 'self'`,
  unconnected: `${strict} 'wasm-unsafe-eval'`,
};
/** What Chromium's console says of a policy that is kept. */
const kept = /Content Security Policy/;

let sites: Record<keyof typeof policies, Site>;
beforeAll(async () => {
  const { folder } = await App.install("csp", "page");
  const site = (policy: string) => serve(folder, { "content-security-policy": policy });
  sites = {
    with: await site(policies.with),
    without: await site(policies.without),
    unconnected: await site(policies.unconnected),
  };
});
afterAll(async () => {
  for (const site of Object.values(sites ?? {})) await site.close();
});

/** @param address of a page that must be told in time that it cannot have the module */
async function refused(address: string): Promise<string> {
  const answer = (await visit(address, kept)) as unknown as { code: string; after: number; cause: string };
  expect(answer).toMatchObject({ code: "WasmUnavailable" });
  expect(answer.after).toBeLessThan(5_000);
  return `${answer.code} after ${Math.round(answer.after)} ms`;
}

it("strict CSP with wasm-unsafe-eval", async (context) => {
  note(context, await visit(sites.with.address), { stored: true });
});

it("strict CSP with wasm-unsafe-eval, no connect-src, tidegate/inline", async (context) => {
  note(context, await visit(`${sites.unconnected.address}?inline`), { stored: true });
});

it("strict CSP without wasm-unsafe-eval is told", async ({ task }) => {
  task.meta.note = await refused(sites.without.address);
});

it("strict CSP without connect-src is told", async ({ task }) => {
  task.meta.note = await refused(sites.unconnected.address);
});
