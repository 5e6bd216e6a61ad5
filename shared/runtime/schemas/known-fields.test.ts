import { describe, expect, it } from "vitest";
import * as z from "zod";
import { LINEAR, orderOfGrowth } from "../../../test/support/processor-time.ts";
import { MAX_NAMED, readNames, requireKnownNames } from "./known-fields.ts";
import { leaveToVerb } from "./schema-parts.ts";

const Item = z.object({ name: z.string(), size: z.number().optional() });
const Filters = z.object({ user_id: z.string(), type: z.string() }).partial();
const Thing = z.object({
  title: z.string(),
  expire_at: z.string().optional(),
  options: z.object({ threshold: z.number() }).partial().default({}),
  items: z.array(Item).optional(),
  one: z.union([z.string(), z.array(Item), Item]).nullish(),
  byName: z.record(z.string(), Item).optional(),
  prepared: z.preprocess((value) => (typeof value === "string" ? JSON.parse(value) : value), Item).optional(),
  filters: leaveToVerb(z.unknown().optional(), Filters),
  metadata: z.custom<object>().optional(),
});

function problemsOf(value: unknown, schema: z.ZodType = Thing): Record<string, string> {
  return Object.fromEntries(readNames(schema, value).problems.map(({ field, problem }) => [field, problem]));
}

describe("unknown names", () => {
  it("are reported with the nearest known one", () => {
    const near = { titel: "title", expire_att: "expire_at", user: "user_id", Threshold: "options.threshold" };
    for (const [field, known] of Object.entries(near)) {
      expect(problemsOf({ [field]: "x" })).toEqual({
        [field]: `Unknown field \`${field}\`: did you mean \`${known}\`?`,
      });
    }
  });

  it("are reported with the known ones if none is similar", () => {
    expect(problemsOf({ zzzz: 1 }, Item)).toEqual({ zzzz: "Unknown field `zzzz`: known are `name`, `size`" });
    expect(problemsOf({ zzzz: 1 }, z.object({}))).toEqual({ zzzz: "Unknown field `zzzz`: none is taken here" });
  });

  it.each([
    ["options.thresold", { options: { thresold: 1 } }],
    ["items.1.nam", { items: [{ name: "a" }, { nam: "b" }] }],
    ["one.0.nam", { one: [{ nam: "b" }] }],
    ["one.nam", { one: { nam: "b" } }],
    ["byName.any.nam", { byName: { any: { nam: "b" } } }],
    ["prepared.nam", { prepared: { nam: "b" } }],
    ["prepared.nam", { prepared: '{"nam": "b"}' }],
    ["__proto__", JSON.parse('{"__proto__": 1}')],
    ["options.constructor", { options: { constructor: 1 } }],
  ])("are found at %s", (field, value) => {
    expect(Object.keys(problemsOf(value))).toEqual([field]);
  });

  it("are accepted in values without a schema", () => {
    expect(problemsOf({ metadata: { any: { thing: 1 } }, filters: { any: 1 } })).toEqual({});
  });

  it("are listed up to a number and a length, then only counted", () => {
    const many = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`${index}`.padEnd(1000, "x"), 1]));
    const { problems, unnamed } = readNames(Thing, many);
    expect([problems.length, unnamed]).toEqual([MAX_NAMED, 5000 - MAX_NAMED]);
    expect(JSON.stringify(problems).length).toBeLessThan(20_000);
    expect(() => requireKnownNames(Thing, many)).toThrow("There are 4980 more.");
  });

  it("cost time in proportion to their number, however similar they are", async () => {
    const schema = z.object(
      Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`name_${index}`, z.string()])),
    );
    const reading = (count: number) => {
      const value = Object.fromEntries(
        Array.from({ length: count }, (_, index) => [`nam_${index}`.padEnd(64, "e"), 1]),
      );
      return () => readNames(schema, value);
    };
    expect(await orderOfGrowth([8_000, 80_000], reading, LINEAR)).toBeLessThanOrEqual(LINEAR);
  });
});

describe("aliases", () => {
  it("mean the schema's own name", () => {
    const { value, sentAs } = requireKnownNames(Thing, { title: "x", expiration_date: "2027-01-01" });
    expect(value).toEqual({ title: "x", expire_at: "2027-01-01" });
    expect([...sentAs]).toEqual([["expire_at", "expiration_date"]]);
    expect(requireKnownNames(Thing, { title: "x", expires_at: "a", expire_at: "a" }).value).toEqual({
      title: "x",
      expire_at: "a",
    });
  });

  it("are accepted beside the filters that have them", () => {
    expect(requireKnownNames(Thing, { user_id: "ada", filters: { type: "fact" } }).value).toEqual({
      filters: { user_id: "ada", type: "fact" },
    });
    expect(requireKnownNames(Thing, { user_id: "ada", filters: { user_id: ["ada"] } }).value).toEqual({
      filters: { user_id: "ada" },
    });
  });

  it.each([
    [{ expire_at: "a", expires_at: "b" }, "`expires_at` and `expire_at`"],
    [{ expires_at: "a", expiration_date: "b" }, "`expiration_date` and `expire_at`"],
    [{ user_id: "ada", filters: { user_id: "bob" } }, "`user_id` and `filters.user_id`"],
  ])("are refused if they differ: %j", (value, both) => {
    const problems = Object.values(problemsOf(value));
    expect(problems).toEqual([expect.stringContaining(both)]);
  });
});
