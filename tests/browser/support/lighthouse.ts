// Lighthouse, which audits a page in Chromium. It is large, so it is installed in a folder of its own, once for all clones.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { at, cache } from "../../../tools/lib/project.mjs";
import { attempt, run } from "../../../tools/lib/run.mjs";
import { fingerprint } from "../../../tools/lib/stamps.mjs";
import { chromiumCommand } from "./browser.ts";
import { onProcessorTime, type TraceEvent } from "./processor-time.ts";

/** A device that Lighthouse simulates: a phone with a slow connection and a slow processor, or a computer. */
export type Device = "phone" | "computer";

/** What is used of Lighthouse's report. */
export interface Report {
  categories: Record<string, { score: number; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<string, { id: string; title: string; score: number | null; numericValue?: number; details?: unknown }>;
}

const files = ["package.json", "package-lock.json", ".npmrc"];
const plain = { NODE_ENV: undefined, VITEST: undefined };

/** Installs what tests/browser/audit/ names, unless it is there; where its program is. */
export async function needLighthouse(): Promise<string> {
  const source = at("tests", "browser", "audit");
  const print = fingerprint(
    files.map((file) => join(source, file)),
    [process.version, process.arch],
  );
  const home = join(cache, "audit", print.slice(0, 16));
  if (!existsSync(home)) {
    const making = `${home}-${process.pid}`;
    mkdirSync(making, { recursive: true });
    try {
      for (const file of files) cpSync(join(source, file), join(making, file));
      await run("npm", ["ci", "--no-audit", "--no-fund"], { cwd: making, env: plain, silent: true });
      // Another clone may have been quicker.
      if (!existsSync(home)) renameSync(making, home);
    } finally {
      rmSync(making, { recursive: true, force: true });
    }
  }
  return join(home, "node_modules", "lighthouse", "cli", "index.js");
}

/** A browser that has to share its processor with too many others may not come to record the page. */
const ATTEMPTS = 3;

/**
 * Audits a page as at a first visit. Times are Lighthouse's simulation, from the bytes of the network and the processor times
 * of the page's threads.
 */
export async function lighthouse(address: string, device: Device): Promise<Report> {
  const cli = await needLighthouse();
  const { program, args } = chromiumCommand();
  const options = [
    ...(device === "computer" ? ["--preset=desktop"] : []),
    "--disable-full-page-screenshot",
    "--quiet",
    "--no-enable-error-reporting",
    `--chrome-flags=${args.join(" ")}`,
  ];
  const work = (...more: string[]): Promise<{ output: string; ok: boolean }> =>
    attempt(process.execPath, [cli, address, ...options, ...more], {
      env: { ...plain, CHROME_PATH: program },
      silent: true,
    });
  let said = "";
  for (let tries = 0; tries < ATTEMPTS; tries++) {
    const folder = mkdtempSync(join(tmpdir(), "tidegate-audit-"));
    try {
      const gathered = await work(`--gather-mode=${folder}`);
      said = gathered.output;
      if (!gathered.ok) continue;
      const file = join(folder, "defaultPass.trace.json");
      const trace: { traceEvents: TraceEvent[] } = JSON.parse(readFileSync(file, "utf8"));
      writeFileSync(file, JSON.stringify({ ...trace, traceEvents: onProcessorTime(trace.traceEvents) }));
      const path = join(folder, "report.json");
      const audited = await work(`--audit-mode=${folder}`, "--output=json", `--output-path=${path}`);
      said = audited.output;
      if (audited.ok) return JSON.parse(readFileSync(path, "utf8"));
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
  throw new Error(`Lighthouse came to no report in ${ATTEMPTS} attempts:\n${said}`);
}
