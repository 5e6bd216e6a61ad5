import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ERROR_CODES } from "../../shared/kernel/errors.ts";

const textOf = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

it("docs/errors.md says of each error code, and of no other, what to do", () => {
  const listed = [...textOf("docs/errors.md").matchAll(/^\| `([A-Z_]+)` \| \S/gm)].map(([, code]) => code);
  expect(listed).toEqual(ERROR_CODES);
});

it("llms.txt names every page of the docs once", () => {
  const named = [...textOf("llms.txt").matchAll(/^- \[[^\]]+\]\((docs\/[^)]+)\): \S/gm)].map(([, page]) => page);
  const pages = readdirSync(new URL("../../docs", import.meta.url)).filter((name) => name.endsWith(".md"));
  expect(named).toEqual(pages.toSorted().map((name) => `docs/${name}`));
});
