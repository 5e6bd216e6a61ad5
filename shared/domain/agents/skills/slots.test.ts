import fc from "fast-check";
import { expect, it } from "vitest";
import type { JsonObject } from "../../../ports/json.ts";
import { fillSlots } from "./slots.ts";

const CONTEXT: JsonObject = {
  name: "Ada",
  order: { id: 42, items: ["tea", "milk"], open: true, note: null },
  "e-mail": "ada@example.com",
};

it.each([
  ["Greet {name}.", "Greet Ada.", ["name"], []],
  ["Greet {{ name }} and {{name}}.", "Greet Ada and Ada.", ["name"], []],
  ["Greet $".concat("{name}."), "Greet Ada.", ["name"], []],
  ["Order {order.id}: {order.open}", "Order 42: true", ["order.id", "order.open", "order"], []],
  ["First {order.items.0}", "First tea", ["order.items.0"], []],
  ["All of {order.items}", 'All of ["tea","milk"]', ["order.items"], []],
  ["Write to {e-mail}", "Write to ada@example.com", ["e-mail"], []],
  [
    "{order.note} {nobody} {order.none.none}",
    "{order.note} {nobody} {order.none.none}",
    [],
    ["order.note", "nobody", "order.none.none"],
  ],
  [
    "{constructor} {__proto__} {name.length} {order.constructor.name}",
    undefined,
    [],
    ["constructor", "__proto__", "name.length", "order.constructor.name"],
  ],
  ['Send {"a": 1} as it is', 'Send {"a": 1} as it is', [], []],
  ["Ask for the e-mail of the order", "Ask for the e-mail of the order", ["order", "e-mail"], []],
])("%s", (text, filled = text, used, missing) => {
  expect(fillSlots(text, CONTEXT)).toEqual({ text: filled, used, missing });
});

it("inserts values as text, never as slots", () => {
  expect(fillSlots("{a}", { a: "{b}", b: "secret" }).text).toBe("{b}");
  expect(fillSlots("{a}", { a: "$& $1 $$" }).text).toBe("$& $1 $$");
});

it("truncates long values and limits the result", () => {
  const { text } = fillSlots("{a}".repeat(1_000), { a: "x".repeat(10_000) });
  expect(text.length).toBeLessThanOrEqual(20_000);
});

it("accepts any text and any context", () => {
  fc.assert(
    fc.property(fc.string(), fc.dictionary(fc.string(), fc.jsonValue()), (text, context) => {
      const { used, missing } = fillSlots(text, context as JsonObject);
      expect(used.filter((path) => missing.includes(path))).toEqual([]);
    }),
  );
});
