import { describe, expect, it } from "vitest";
import * as z from "zod";
import { CompressionConfig, ModeSettings, Provider } from "../../shared/domain/compression/settings.ts";
import { TierSettings } from "../../shared/domain/compression/tiers.ts";
import { SearchDefaults } from "../../shared/domain/retrieval/settings.ts";
import { routes, titleOf } from "./harness.ts";

/** The deployment's settings are read with the schemas of responses: a value that these refuse is not read. */
const SETTINGS = new Set<unknown>([
  ModeSettings,
  Provider,
  TierSettings,
  SearchDefaults,
  ...Object.values(CompressionConfig.shape),
]);

/** Keywords that only describe a number's kind and limit no stored value. */
const KINDS_OF_NUMBER = new Set(["number_format"]);

interface Parts {
  type: string;
  shape?: Record<string, z.ZodType>;
  catchall?: z.ZodType;
  element?: z.ZodType;
  options?: z.ZodType[];
  innerType?: z.ZodType;
  keyType?: z.ZodType;
  valueType?: z.ZodType;
  checks?: { _zod: { def: { check: string } } }[];
}

/** Where a schema refuses or changes a value of the right type, each as "path: how". */
function limitsOf(schema: z.ZodType, path = "answer"): string[] {
  if (SETTINGS.has(schema)) return [];
  const { type, shape = {}, catchall, checks = [], ...parts } = schema._zod.def as unknown as Parts;
  const { element, options = [], innerType, keyType, valueType } = parts;
  const own = checks.map((check) => check._zod.def.check).filter((check) => !KINDS_OF_NUMBER.has(check));
  return [
    ...own.map((check) => `${path}: ${check}`),
    ...(type === "pipe" || type === "transform" ? [`${path}: ${type}`] : []),
    ...(type === "custom" && !takesAnything(schema) ? [`${path}: custom`] : []),
    ...(catchall?._zod.def.type === "never" ? [`${path}: strict`] : []),
    ...Object.entries(shape).flatMap(([name, part]) => limitsOf(part, `${path}.${name}`)),
    ...[element, ...options, innerType, keyType, valueType].flatMap((part) => (part ? limitsOf(part, path) : [])),
  ];
}

/** Passes the value itself, because a copy costs time. */
function takesAnything(schema: z.ZodType): boolean {
  const deep = Array.from({ length: 50 }).reduce<object>((inner) => ({ inner }), {});
  const given = [{ long: "x".repeat(100_000) }, deep, { ["__proto__"]: 1, "\ud800": Number.MAX_VALUE }];
  return given.every((value) => schema.safeParse(value).data === value);
}

describe("a response", () => {
  it("with a limited schema is found", () => {
    const limited = z.object({
      name: z.string().max(3),
      share: z.array(z.number().min(0).nullable()).optional(),
      whole: z.int(),
      trimmed: z.string().transform((value) => value.trim()),
      strict: z.strictObject({ a: z.custom((value) => value === 1) }),
    });
    expect(limitsOf(limited)).toEqual([
      "answer.name: max_length",
      "answer.share: greater_than",
      "answer.trimmed: pipe",
      "answer.strict: strict",
      "answer.strict.a: custom",
    ]);
  });

  it("has no limits that stored values may exceed", () => {
    const held = routes.flatMap(({ definition }) => {
      const limits = definition.answer === "raw" ? [] : limitsOf(definition.answer);
      return limits.map((limit) => `${titleOf(definition)} ${limit}`);
    });
    expect(held).toEqual([]);
  });
});
