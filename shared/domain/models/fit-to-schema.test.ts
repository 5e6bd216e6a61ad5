import { expect, test } from "vitest";
import * as z from "zod";
import { fitToSchema, type JsonSchema } from "./fit-to-schema.ts";

const Element = z.object({ name: z.string().min(1), sure: z.number().min(0).max(1), place: z.number().int().min(0) });
const Answer = z.object({ list: z.array(Element), share: z.number().min(0).max(1) });
const fit = (value: object) => fitToSchema(value, Answer, z.toJSONSchema(Answer) as JsonSchema);

const good = { name: "a", sure: 0.5, place: 1 };

test.each([
  [9, 1],
  [-0.5, 0],
  [1e308, 1],
])("a quantity of %d becomes %d, the nearest valid value", (given, nearest) => {
  expect(fit({ list: [{ ...good, sure: given }], share: given })).toEqual({
    value: { list: [{ ...good, sure: nearest }], share: nearest },
  });
});

test.each([
  ["a number that names something else", { ...good, place: -1 }],
  ["a missing member", { name: "a" }],
  ["a wrong type", { ...good, sure: "very" }],
  ["no object", "a"],
])("drops an element with %s, not the answer", (_what, bad) => {
  expect(fit({ list: [good, bad, good], share: 0 })).toEqual({ value: { list: [good, good], share: 0 } });
});

test.each([
  ["most elements are wrong", { list: [good, "a", "b"], share: 0 }, /^list\.1: /],
  ["all of them are", { list: ["a"], share: 0 }, /^list\.0: /],
  ["a member is missing", { list: [good] }, /^share: /],
  ["a member has a wrong type", { list: "none", share: 0 }, /^list: /],
])("names the mistakes if %s", (_what, value, mistakes) => {
  expect(fit(value).mistakes).toMatch(mistakes);
});
