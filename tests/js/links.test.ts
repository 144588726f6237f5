// Links in the documents lead to files, and to headings, that are there.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { at } from "../../tools/lib/project.mjs";

const documents = [
  ...["README.md", "CONTRIBUTING.md", "CHANGELOG.md", join("benches", "peers", "README.md")],
  ...readdirSync(at("docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
];

/** What GitHub makes of headings. */
function anchors(file: string): string[] {
  const headings = readFileSync(file, "utf8").matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, text = ""]) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

it.each(documents)("%s", (document) => {
  const text = readFileSync(at(document), "utf8").replace(/^```.*?^```$/gms, "");
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  const lost = links
    .filter((link) => !/^https?:/.test(link))
    .filter((link) => {
      const [path = "", anchor] = link.split("#");
      const file = path === "" ? at(document) : at(dirname(document), path);
      return !existsSync(file) || (anchor !== undefined && !anchors(file).includes(anchor));
    });
  expect(lost).toEqual([]);
});
