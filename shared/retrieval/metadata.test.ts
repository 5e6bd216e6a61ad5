import { expect, test } from "vitest";
import { metadataTerm, metadataTerms } from "./metadata.ts";

test("has a term for each scalar under its dotted path", () => {
  const metadata = { a: "x", b: { c: 1, "d.e": true }, f: null, g: {}, h: [] };
  expect(metadataTerms(metadata)).toEqual(['a="x"', "b.c=1", "b.d.e=true"]);
});

test("has the members of arrays under the array's path, each once", () => {
  const metadata = { tags: ["a", "b", "a", ["c"]], people: [{ name: "Ann" }, { name: "Bo" }] };
  expect(metadataTerms(metadata)).toEqual([
    'tags="a"',
    'tags="b"',
    'tags="c"',
    'people.name="Ann"',
    'people.name="Bo"',
  ]);
});

test("keeps values of different types apart", () => {
  expect(
    new Set([metadataTerm("a", 1), metadataTerm("a", "1"), metadataTerm("a", true), metadataTerm("a", "true")]).size,
  ).toBe(4);
});

test("shortens a long value alike on both sides", () => {
  const long = "x".repeat(10_000);
  expect(metadataTerms({ a: long })).toEqual([metadataTerm("a", long)]);
  expect(metadataTerm("a", long)).toHaveLength(512);
});
