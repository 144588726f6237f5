// Prints one line for each case: whether it works, when its first query was answered, how much it loaded.
import type { Reporter, TestCase } from "vitest/node";

declare module "vitest" {
  interface TaskMeta {
    /** Milliseconds from the beginning of the page, worker or process. */
    firstQuery?: number;
    /** Bytes of JavaScript and WebAssembly that the app loaded of its own and of ours. */
    loaded?: number;
    /** Anything else to be told. */
    note?: string;
  }
}

export default class Table implements Reporter {
  readonly #lines: string[] = [];

  onTestCaseResult(test: TestCase): void {
    if (test.project.name !== "packaging") return;
    const { firstQuery, loaded, note } = test.meta();
    const { state } = test.result();
    const time = firstQuery === undefined ? "" : `${Math.round(firstQuery)} ms`;
    const bytes = loaded === undefined ? "" : `${(loaded / 1000).toFixed(0)} KB`;
    const mark = state === "passed" ? "✓ ok    " : `✗ ${state}`;
    this.#lines.push(
      `${mark} ${test.name.padEnd(64)} ${time.padStart(9)} ${bytes.padStart(9)}  ${note ?? ""}`.trimEnd(),
    );
  }

  onTestRunEnd(): void {
    const head = `         ${"case".padEnd(64)} ${"1st query".padStart(9)} ${"loaded".padStart(9)}`;
    console.log(`\n${[head, ...this.#lines].join("\n")}\n`);
  }
}
