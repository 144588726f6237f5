// Vitest's set-up of the browser tests: serves www/ as `npm start` does and tells them the address (`inject("page")`).
import type { TestProject } from "vitest/node";
import { servePage } from "./page.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** Address of the demo page. */
    page: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { address, close } = await servePage({ port: 4173, watch: false });
  project.provide("page", address);
  return close;
}
