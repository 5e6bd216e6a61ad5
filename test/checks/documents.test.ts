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
/** A sentence ends at a full stop, a colon or a semicolon; code counts as one word. */
const MAX_WORDS_OF_A_SENTENCE = 33;
const START_OF_ITEM = /^\s*(?:[-*]|\d+\.)\s+/;
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

  it("has no long sentence", () => {
    const long = sentencesOf(text).filter((sentence) => countWords(sentence) > MAX_WORDS_OF_A_SENTENCE);
    expect(long).toEqual([]);
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

it("counts the words of a sentence in paragraphs, items and cells", () => {
  const texts = [
    "# Not this",
    "",
    "One two",
    "three. Four `five six`; seven",
    "- [Eight](nine.md) ten.",
    "| a b | c |",
  ];
  const counts = sentencesOf([...texts, "```sh", "no sentence", "```"].join("\n")).map(countWords);
  expect(counts).toEqual([3, 2, 1, 2, 2, 1]);
});

/** The sentences of paragraphs, list items and cells, without headings, code and the targets of links. */
function sentencesOf(markdown: string): string[] {
  const blocks: string[] = [];
  let isOpen = false;
  for (const line of markdown.replace(/^```.*?^```/gms, "").split("\n")) {
    const isText = line.trim() !== "" && !/^[#|]/.test(line);
    if (line.startsWith("|")) blocks.push(...line.split("|"));
    else if (isText && isOpen && !START_OF_ITEM.test(line)) blocks.push(`${blocks.pop()} ${line}`);
    else if (isText) blocks.push(line.replace(START_OF_ITEM, ""));
    isOpen = isText;
  }
  const plain = blocks.map((block) => block.replace(/\]\([^)]*\)/g, "]").replace(/`[^`]*`/g, "code"));
  return plain.flatMap((block) => block.split(/(?<=[.!?:;])["”)\]*]*\s+/)).filter((sentence) => /\w/.test(sentence));
}

function countWords(sentence: string): number {
  return sentence.match(/[\w’'.-]*\w/g)?.length ?? 0;
}

/** The anchors that GitHub generates for headings. */
function anchorsOf(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}
