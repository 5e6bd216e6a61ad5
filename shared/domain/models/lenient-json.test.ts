import fc from "fast-check";
import { expect, test } from "vitest";
import { LINEAR, orderOfGrowth } from "../../../test/support/processor-time.ts";
import { jsonObjectsIn } from "./lenient-json.ts";

const VALUE = { facts: [{ content: 'a "b" \\ é\n', confidence: 0.5, ok: true, none: null }], entities: [[], {}] };
const JSON_TEXT = JSON.stringify(VALUE);

test.each([
  ["JSON alone", JSON_TEXT],
  ["indented JSON", JSON.stringify(VALUE, undefined, 2)],
  ["a code fence", `\`\`\`json\n${JSON_TEXT}\n\`\`\``],
  ["prose with braces", `Here {you} go: {1} ${JSON_TEXT} That is { all.`],
  ["reasoning", `<think>${JSON_TEXT.replace("a ", "z ")} or {"x":1}</think>${JSON_TEXT}`],
  ["reasoning without an opening tag", `Hm, {"x":1}?</think>\n${JSON_TEXT}`],
  [
    "trailing commas",
    JSON_TEXT.replaceAll("]", ",]")
      .replaceAll("}", ",}")
      .replaceAll(/([[{]),/g, "$1"),
  ],
  ["raw line breaks in strings", JSON_TEXT.replace("\\n", "\n")],
  ["an example before it", `For example {"facts":[]}. ${JSON_TEXT}`],
  ["a byte order mark", `\uFEFF${JSON_TEXT}`],
])("reads %s", (_what, text) => expect(jsonObjectsIn(text)[0]).toEqual(VALUE));

test.each([
  ['{"a":1,"b":"cut', { a: 1 }],
  ['{"a":1,"b":2', { a: 1 }],
  ['{"a":[1,2,{"b":3},{"c":"x","d":tr', { a: [1, 2, { b: 3 }, { c: "x" }] }],
  ['{"a":["one","two', { a: ["one"] }],
  ['{"a":1,"b', { a: 1 }],
  ['{"a":1,"b":', { a: 1 }],
])("keeps the complete members of truncated JSON: %s", (text, value) => {
  expect(jsonObjectsIn(text)).toEqual([value]);
});

test.each(["", "Green, I think.", "{", '{"a" 1}', '{"a":1,,"b":2}', '<think>It may be {"a":1}, or {"a":2}'])(
  "finds nothing of use in: %s",
  (text) => {
    expect(jsonObjectsIn(text).every((value) => Object.keys(value).length === 0)).toBe(true);
  },
);

test("reads any JSON text, truncated anywhere", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (value, cut) => {
      const text = JSON.stringify(value);
      expect(JSON.stringify(jsonObjectsIn(`Well: ${text}`)[0])).toEqual(JSON.stringify(JSON.parse(text)));
      expect(() => jsonObjectsIn(text.slice(0, cut % text.length))).not.toThrow();
    }),
  );
});

test("accepts any text", () => {
  const piece = fc.constantFrom(" ", ...'{ } [ ] " \\ : , 1 - true tr <think> </think>'.split(" "));
  fc.assert(fc.property(fc.array(piece), (pieces) => void jsonObjectsIn(pieces.join(""))));
});

test.each([
  ["opening braces", "{"],
  ["nested objects", '{"a":'],
  ["nested lists", '{"a":[['],
  ["quotation marks", '{"'],
  ["backslashes", '{"\\'],
  ["commas", "{,"],
  ["objects", '{"a":1}'],
  ["thoughts", "<think>{"],
  ["ends of thoughts", "</think>"],
])("takes time linear in the length of %s", async (_what, unit) => {
  const reading = (length: number) => {
    const text = unit.repeat(length / unit.length);
    return () => jsonObjectsIn(text);
  };
  expect(await orderOfGrowth([1_000_000, 10_000_000], reading, LINEAR)).toBeLessThanOrEqual(LINEAR);
});
