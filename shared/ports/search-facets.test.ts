import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject } from "./json.ts";
import { facetsOf, facetTestOf, valueFacet } from "./search-facets.ts";

const at = "2024-01-01T00:00:00.000Z";
const ofMetadata = (metadata: JsonObject) =>
  facetsOf({ metadata, created_at: at, updated_at: at }).filter((facet) => facet.startsWith('"metadata'));

test("include the value, its existence and a text in lower case under each dotted path", () => {
  expect(ofMetadata({ a: "X", b: { "d.e": true }, f: null, g: {}, h: [] })).toEqual([
    '"metadata.a"sX',
    '"metadata.a"*',
    '"metadata.a"ix',
    '"metadata.b.d.e"btrue',
    '"metadata.b.d.e"*',
  ]);
});

test("include the members of arrays under the array's path, each once", () => {
  const facets = ofMetadata({ tags: ["a", "b", "a", ["c"]], people: [{ name: "Ann" }, { name: "Bo" }] });
  expect(facets.filter((facet) => /"s/.test(facet))).toEqual([
    '"metadata.tags"sa',
    '"metadata.tags"sb',
    '"metadata.tags"sc',
    '"metadata.people.name"sAnn',
    '"metadata.people.name"sBo',
  ]);
});

test("distinguish types of values and similar paths", () => {
  expect(new Set([1, "1", true, "true"].map((value) => valueFacet("a", value))).size).toBe(4);
  expect(valueFacet('a"sb', "c")).not.toBe(valueFacet("a", 'b"sc'));
});

test("replace a long path by its digest, in documents and conditions", () => {
  const long = "x".repeat(5000);
  const facets = facetsOf({ metadata: { [long]: "y" }, created_at: at, updated_at: at });
  expect(facets).toContain(valueFacet(`metadata.${long}`, "y"));
  expect(valueFacet(`metadata.${long}`, "y").length).toBeLessThan(100);
});

test("sort like the numbers", () => {
  const number = fc.double({ noNaN: true });
  fc.assert(
    fc.property(number, number, (a, b) => {
      const [first, second] = [valueFacet("n", a), valueFacet("n", b)];
      expect(Math.sign(Buffer.compare(Buffer.from(first), Buffer.from(second)))).toBe(a < b ? -1 : a > b ? 1 : 0);
    }),
  );
});

test("limit a range to its path and kind", () => {
  expect(facetTestOf({ path: "a", greaterThan: 3 })).toMatchObject({ to: '"a"o', includesFrom: false });
  expect(facetTestOf({ path: "a", atMost: "m" })).toEqual({
    from: '"a"s',
    includesFrom: true,
    to: '"a"sm',
    includesTo: true,
  });
});
