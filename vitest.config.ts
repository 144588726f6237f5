// Three projects: "js" tests the TypeScript in Node, "browser" drives the page in real browsers, "packaging" installs the packed
// package into apps and runs them.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "js",
          include: ["tests/js/**/*.test.ts"],
          environment: "node",
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: "browser",
          include: ["tests/browser/**/*.test.ts"],
          environment: "node",
          globalSetup: ["tools/lib/vitest-page.ts"],
          // One browser at a time: they are measured against time-outs.
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: "packaging",
          include: ["tests/packaging/**/case.test.ts"],
          environment: "node",
          globalSetup: ["tests/packaging/support/pack.ts"],
          fileParallelism: false,
          // What is installed for the first time is downloaded.
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
});
