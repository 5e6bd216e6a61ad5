import { expect, it } from "vitest";
import type { AttributeTest, Condition } from "../../ports/record-store.ts";
import { conditionHolds, notExpired, Placeholders, testExpression, updateExpression } from "./expressions.ts";

const NOW = 1_000;

/** Returns the expression with its placeholders replaced by their names and values. */
function spelled(compile: (to: Placeholders) => string | undefined): string {
  const to = new Placeholders();
  const expression = compile(to) ?? "";
  const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} } = to.members();
  return expression
    .replaceAll(/#n\d+/g, (name) => names[name] ?? name)
    .replaceAll(/:v\d+/g, (value) => JSON.stringify(values[value]));
}

const live = "(attribute_not_exists(ttl) OR ttl > 1000)";

it.each<[Condition, string]>([
  ["absent", "(attribute_not_exists(pk) OR ttl <= 1000)"],
  ["present", `attribute_exists(pk) AND ${live}`],
  [{ version: 3 }, `attribute_exists(pk) AND ${live} AND version = 3`],
  [{ version: { not: 3 } }, `attribute_exists(pk) AND ${live} AND version <> 3`],
  [{ done: { absent: true } }, "(attribute_not_exists(pk) OR ttl <= 1000 OR attribute_not_exists(done))"],
  [
    { used: { lessThan: 5, orAbsent: true } },
    "(attribute_not_exists(pk) OR ttl <= 1000 OR (attribute_not_exists(used) OR used < 5))",
  ],
])("condition %j", (condition, expected) => {
  expect(spelled((to) => conditionHolds(condition, NOW, to))).toBe(expected);
});

it.each<[AttributeTest, string]>([
  ["x", 'a = "x"'],
  [{ oneOf: [] }, "attribute_exists(a) AND attribute_not_exists(a)"],
  [{ oneOf: ["x", 1] }, 'a IN ("x", 1)'],
  [{ containsAny: ["x"] }, 'contains(a, "x")'],
  [{ containsAny: ["x", "y"] }, '(contains(a, "x") OR contains(a, "y"))'],
  [{ containsAny: [] }, "attribute_exists(a) AND attribute_not_exists(a)"],
  [{ greaterThan: 1, atMost: 2 }, "a <= 2 AND a > 1"],
  [{ atLeast: 1, lessThan: 2, orAbsent: true }, "(attribute_not_exists(a) OR a < 2 AND a >= 1)"],
])("test %j", (test, expected) => {
  expect(spelled((to) => testExpression({ a: test }, to))).toBe(expected);
});

it("splits a list that is too long for one IN", () => {
  const oneOf = Array.from({ length: 101 }, (_, index) => index);
  const expression = spelled((to) => testExpression({ a: { oneOf } }, to));
  expect(expression).toMatch(/^\(a IN \(0, .*, 99\) OR a IN \(100\)\)$/);
});

it("refuses empty tests", () => {
  expect(() => testExpression({}, new Placeholders())).toThrow("at least one attribute");
  expect(() => testExpression({ a: {} }, new Placeholders())).toThrow("at least one bound");
});

it("names each attribute and value once", () => {
  const to = new Placeholders();
  notExpired(NOW, to);
  notExpired(NOW, to);
  expect(to.members()).toEqual({
    ExpressionAttributeNames: { "#n0": "ttl" },
    ExpressionAttributeValues: { ":v0": NOW },
  });
  expect(new Placeholders().members()).toEqual({});
});

it("writes update expressions, and none for an empty update", () => {
  const update = { pk: "p", sk: "s" };
  const change = { update, set: { a: { "": 1 }, b: [] }, add: { n: 1 }, remove: ["x", "y"] };
  expect(spelled((to) => updateExpression(change, to))).toBe('SET a = {"\\u0000":1}, b = [] ADD n 1 REMOVE x, y');
  expect(updateExpression({ update, set: {} }, new Placeholders())).toBeUndefined();
});
