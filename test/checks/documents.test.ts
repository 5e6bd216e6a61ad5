import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FOLDERS = ["functions", "shared", "infra", "test", "docs", "events"];
/** Package registries; links must lead to a project's own site. */
const REGISTRIES = /https:\/\/(?:www\.)?(?:npmjs\.com|pypi\.org|crates\.io|hub\.docker\.com)\b/;
const MAX_PICTURE_BYTES = 120_000;
const documents = globSync(["README.md", "docs/*.md", "infra/*.md"], { cwd: ROOT });

describe.each(documents)("%s", (document) => {
  const text = readFileSync(path.join(ROOT, document), "utf8");

  it("links to pages and headings that are there", () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)];
    for (const [link, page, anchor] of links) {
      const target = page ? path.resolve(ROOT, path.dirname(document), page) : path.join(ROOT, document);
      expect(existsSync(target), link).toBe(true);
      if (anchor) expect(anchorsOf(readFileSync(target, "utf8")), link).toContain(anchor);
    }
  });

  it("links to no package registry, and to small pictures", () => {
    expect(text).not.toMatch(REGISTRIES);
    for (const [, picture = ""] of text.matchAll(/!\[[^\]]+\]\((?!https?:)([^)]+)\)/g)) {
      expect(statSync(path.resolve(ROOT, path.dirname(document), picture)).size).toBeLessThan(MAX_PICTURE_BYTES);
    }
  });

  it("names files and commands that are there", () => {
    const paths = [...text.matchAll(new RegExp(`\`((?:${FOLDERS.join("|")})/[\\w./-]+)\``, "g"))].map(
      ([, name = ""]) => name,
    );
    for (const name of paths) expect(existsSync(path.join(ROOT, name)), name).toBe(true);
    const scripts = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name);
    for (const name of scripts) expect(Object.keys(manifest.scripts)).toContain(name);
  });
});

it("looks at the README, its guides and the deployment's page", () => {
  expect(documents.length).toBeGreaterThan(10);
});

/** The anchors that GitHub generates for headings. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
