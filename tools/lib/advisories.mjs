// Whether anything that we depend on is known to be unsafe, as far as the databases can be reached from here.
import { needTool } from "./needs.mjs";
import { attempt } from "./run.mjs";

/** @typedef {"clean" | "unreachable" | string} Finding what is known, in words, where it is neither */

/** @returns {Promise<{ tool: string, says: Finding }[]>} */
export async function advisories() {
  return [
    { tool: "npm audit", says: await npmAudit() },
    { tool: "cargo deny check advisories", says: await cargoDeny() },
  ];
}

async function npmAudit() {
  const { ok, output } = await attempt("npm", ["audit"], { silent: true });
  if (ok) return "clean";
  return /audit endpoint returned an error/.test(output) ? "unreachable" : output;
}

async function cargoDeny() {
  await needTool("cargo-deny");
  const deny = ["--config", "deny.toml"];
  const { ok, output } = await attempt("cargo-deny", [...deny, "check", "advisories"], { silent: true });
  if (ok) return "clean";
  return /failed to fetch advisory database/.test(output) ? "unreachable" : output;
}
