import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

/** A path of code in a page: in backticks, or in the picture of the architecture. */
const PATH = /(?<![\w/.])(?:functions|shared|infra|test|models|clients|events)\/[\w./-]+/g;
/** Made by a command. */
const BUILT = /\/(?:node_modules|dist)(?:\/|$)/;
/** If fewer are found, the pattern no longer fits the pages. */
const MIN_PATHS = 60;

const pages = globSync(["*.md", "docs/*.md", "infra/*.md", "models/**/*.md"], { exclude: ["CHANGELOG.md"] });
const named = pages.flatMap((page) =>
  [...readFileSync(page, "utf8").matchAll(PATH)].map(([name]) => ({ page, name: name.replace(/[.,/]+$/, "") })),
);

it("finds the paths in the pages", () => {
  expect(named.length).toBeGreaterThan(MIN_PATHS);
});

it("names no file or folder that is gone", () => {
  // The start of a pattern such as `backup*.test.ts` names the files that begin like it.
  const isGone = ({ page, name }: { page: string; name: string }) =>
    !BUILT.test(name) && globSync([`${name}*`, `${path.join(path.dirname(page), name)}*`]).length === 0;
  expect(named.filter(isGone)).toEqual([]);
});
