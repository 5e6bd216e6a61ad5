import { globSync, readFileSync } from "node:fs";
import { expect, it, vi } from "vitest";
import { Query } from "./query.ts";

it("reads each thing once", () => {
  const query = new Query("Where do I live?");
  const read = vi.fn(({ words }: Query) => words.length);
  expect([query.once(read), query.once(read)]).toEqual([4, 4]);
  expect(read).toHaveBeenCalledTimes(1);
  expect([query.words, query.tokens, query.terms]).toEqual([query.words, query.tokens, query.terms]);
  expect(query.tokens).toBe(query.lines[0]?.tokens);
});

it("tokenizes several lines as lines and as a whole", () => {
  const { lines, tokens } = new Query("tea\nlast week");
  expect(lines.map(({ text }) => text)).toEqual(["tea", "last week"]);
  expect(tokens.filter(({ kind }) => kind === "word").map(({ lower }) => lower)).toEqual(["tea", "last", "week"]);
});

/** Where text enters, and the port that takes it. */
const ENTRIES = ["shared/domain/retrieval/run-search.ts"];

it("is what everything behind the entry of a search takes", () => {
  const files = globSync(["shared/domain/retrieval/**/*.ts", "shared/language/questions/*.ts"], {
    exclude: ["**/*.test.ts"],
  });
  expect(files.length).toBeGreaterThan(50);
  const strings = files.filter((file) => /\b(query|question): string\b/.test(readFileSync(file, "utf8")));
  expect(strings.filter((file) => !ENTRIES.includes(file))).toEqual([]);
});
