import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../shared/ports/json.ts";
import { ExpressionError, type Location, parseExpression } from "./expressions.ts";

const VARIABLES: JsonObject = {
  context: {
    count: 5,
    name: "Ada",
    tags: ["a", "b"],
    open: true,
    nothing: null,
    order: { total: 9.5 },
    stage: "prototype",
  },
  last: { success: true, output: "Hello" },
  result: { success: true, output: "Hello" },
  step: { order: 2 },
};

async function evaluate(text: string, location: Location = "steps") {
  return (await parseExpression(text, location))(VARIABLES);
}

describe("an expression", () => {
  it.each([
    ["true", true],
    ["context.count > 3 && context.open", true],
    ["context.count + 1 == 6", true],
    ["1 + context.count == 6", true],
    ["context.count * 2 - 1 >= 9", true],
    ["context.count / 2 == 2.5", true],
    ["context.count % 2 == 1", true],
    ["context.order.total > 9", true],
    ["context.name == 'Ada'", true],
    ["context.name in ['Bob', 'Eve']", false],
    ["'b' in context.tags", true],
    ["context.nothing == null", true],
    ["has(context.missing)", false],
    ["has(context.missing) && context.missing > 1", false],
    ["size(context.tags) == 2 && context.tags[0] == 'a'", true],
    ["context.tags.exists(tag, tag.startsWith('b'))", true],
    ["context.tags.all(tag, size(tag) == 1)", true],
    ["last.success && result.output.contains('ell')", true],
    ["!last.success || step.order < 2", false],
    ["last.success ? context.open : false", true],
    ["context.stage == 'prototype'", true],
    ["int('5') == 5 && string(context.count) == '5' && double('1.5') < 2", true],
  ])("%s is %s", async (text, expected) => {
    expect(await evaluate(text)).toBe(expected);
  });

  it.each([
    "context.missing == 1",
    "context.count",
    "context.name > 3",
    "context.count ? true : false",
    "context.tags[9] == 'a'",
    "context[context.name] == 1",
    "last.output.size",
  ])("%s fails with a reason", async (text) => {
    await expect(evaluate(text)).rejects.toThrow(ExpressionError);
  });

  it.each([
    "",
    " ",
    "1 +",
    "context.count = 5",
    "1 + 1",
    "'text'",
    "count > 3",
    "process.env",
    "globalThis.process",
    "constructor",
    "context.constructor",
    "context.tags['constructor']",
    "context['__proto__']",
    "last.prototype.x",
    "context.__defineGetter__('a')",
    "context.toString()",
    "context.name.matches('(a+)+$')",
    "context.tags.map(x, x) == []",
    "context.tags.filter(x, true) == []",
    "context.tags.all(x, context.tags.exists(y, x == y))",
    "cel.bind(x, true, x)",
    "timestamp('2026-01-01T00:00:00Z') == context.count",
    "bytes('a') == b'a'",
    "dyn(true)",
    "eval('true')",
    "function() {}",
    "context.name; true",
    `${"!".repeat(200)}true`,
    `${"(".repeat(30)}true${")".repeat(30)}`,
    `${"true||".repeat(80)}true`,
    `context.name == '${"a".repeat(500)}'`,
    `context.count in [${"1,".repeat(60)}1]`,
  ])("%s is refused before its evaluation", async (text) => {
    await expect(parseExpression(text, "steps")).rejects.toThrow(ExpressionError);
  });

  it("knows no result before the first step", async () => {
    expect(await evaluate("context.open", "conditions")).toBe(true);
    for (const text of ["last.success", "result.success", "step.order == 1"]) {
      await expect(parseExpression(text, "conditions")).rejects.toThrow("Unknown variable");
    }
  });

  it("changes nothing, and fails only with an ExpressionError for any text", async () => {
    const before = JSON.stringify(VARIABLES);
    const pieces = fc.constantFrom(" ", ..."context last . [ ] ( ) 'a' 1 == && ! has size count , ? :".split(" "));
    const texts = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.array(pieces, { maxLength: 12 }).map((all) => all.join("")),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const value = await evaluate(text).catch((error: unknown) => error);
        expect(typeof value === "boolean" || value instanceof ExpressionError, text).toBe(true);
      }),
      { numRuns: 500 },
    );
    expect(JSON.stringify(VARIABLES)).toBe(before);
  });

  it("visits each member of a list once", async () => {
    const list = Array.from({ length: 8_000 }, (_, location) => location);
    const text = Array.from({ length: 6 }, () => "context.list.all(x, x >= 0 && x < 9000)").join(" && ");
    expect((await parseExpression(text, "steps"))({ ...VARIABLES, context: { list } })).toBe(true);
  });
});
