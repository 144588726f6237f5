// Compiles js/ into pkg/dist/: ES modules, declarations and source maps, with the generated glue beside them. The sources that
// the maps lead to, and what else a package has to have with it, are copied into pkg/.
import { cpSync, existsSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join, relative } from "node:path";
import { at } from "./project.mjs";
import { Failure, run } from "./run.mjs";
import { filesBelow, fingerprint, once } from "./stamps.mjs";
import { generated, glueFiles } from "./wasm.mjs";

const dist = at("pkg", "dist");
/** Kept in one place, and in the package too. */
const shared = ["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];
export const tsc = at("node_modules", "typescript", "bin", "tsc");

export async function buildBindings() {
  if (!existsSync(at("js", "index.ts"))) throw new Failure("js/index.ts, the package's entry, is missing");
  const all = filesBelow(at("js"), [".ts"]).filter((file) => !file.startsWith(generated));
  const sources = all.filter((file) => !file.endsWith(".d.ts"));
  const glue = glueFiles.map((file) => join(generated, file));
  const settings = [at("tsconfig.base.json"), at("tsconfig.build.json")];
  const typescript = JSON.parse(readFileSync(at("node_modules", "typescript", "package.json"), "utf8"));
  const print = fingerprint([...all, ...glue, ...settings], [typescript.version]);
  const outputs = [
    ...sources.map((file) => join(dist, relative(at("js"), file).replace(/\.ts$/, ".js"))),
    ...glueFiles.map((file) => join(dist, "generated", file)),
  ];
  await once("bindings", print, outputs, compile);
  for (const file of shared) cpSync(at(file), at("pkg", file));
}

/** Beside the old output first: what did not compile replaces nothing. */
async function compile() {
  const fresh = at("pkg", `dist-${process.pid}`);
  try {
    await run(process.execPath, [tsc, "-p", at("tsconfig.build.json"), "--outDir", fresh], {
      title: "tsc: the TypeScript bindings",
    });
    cpSync(generated, join(fresh, "generated"), { recursive: true });
    rmSync(dist, { recursive: true, force: true });
    renameSync(fresh, dist);
    rmSync(at("pkg", "js"), { recursive: true, force: true });
    cpSync(at("js"), at("pkg", "js"), { recursive: true, filter: (file) => !file.startsWith(generated) });
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
