import type * as z from "zod";
import { isObject } from "../../kernel/objects.ts";
import type { Json } from "../../ports/json.ts";

export type JsonSchema = { [keyword: string]: Json };

export type Fitted<Output> = { value: Output; mistakes?: undefined } | { mistakes: string };

/** Maximum mistakes in the message, because more of them do not help a model. */
const MAX_MISTAKES = 8;
/** A list that would lose a larger share of its elements has the wrong shape as a whole. */
const MAX_DROPPED_SHARE = 0.5;
/** A repair may reveal issues that were not checked before. */
const MAX_REPAIRS = 2;

/**
 * Returns a value that fits its schema, or its mistakes. Repairs what does not distort the answer: a quantity out of
 * range becomes the nearest one in range, and an invalid element is dropped from its list. Mutates the given value.
 */
export function fitToSchema<Output>(value: object, schema: z.ZodType<Output>, jsonSchema: JsonSchema): Fitted<Output> {
  let parsed = schema.safeParse(value);
  for (let repair = 0; repair < MAX_REPAIRS && !parsed.success; repair++) {
    if (!repairIssues(value, parsed.error.issues, jsonSchema)) break;
    parsed = schema.safeParse(value);
  }
  if (parsed.success) return { value: parsed.data };
  const mistakes = parsed.error.issues.slice(0, MAX_MISTAKES);
  return { mistakes: mistakes.map(({ path, message }) => `${path.join(".") || "answer"}: ${message}`).join("; ") };
}

type Path = readonly PropertyKey[];
type Container = Record<PropertyKey, unknown>;

/** Returns false if an issue cannot be repaired. */
function repairIssues(value: object, issues: z.core.$ZodIssue[], jsonSchema: JsonSchema): boolean {
  const invalid = new Map<unknown[], Set<number>>();
  for (const issue of issues) {
    const bound = boundOf(issue);
    if (bound !== undefined && isQuantity(jsonSchema, issue.path)) {
      const parent = valueAt(value, issue.path.slice(0, -1));
      (parent as Container)[issue.path.at(-1) ?? ""] = bound;
      continue;
    }
    const index = issue.path.findLastIndex((key) => typeof key === "number");
    const list = index === -1 ? undefined : valueAt(value, issue.path.slice(0, index));
    if (!Array.isArray(list)) return false;
    invalid.set(list, (invalid.get(list) ?? new Set()).add(Number(issue.path[index])));
  }
  for (const [list, indexes] of invalid) {
    if (indexes.size > list.length * MAX_DROPPED_SHARE) return false;
    list.splice(0, list.length, ...list.filter((_element, index) => !indexes.has(index)));
  }
  return true;
}

function boundOf(issue: z.core.$ZodIssue): number | undefined {
  if (issue.code === "too_big" && issue.inclusive) return Number(issue.maximum);
  return issue.code === "too_small" && issue.inclusive ? Number(issue.minimum) : undefined;
}

/** Whether a number is a quantity. An integer may identify something, so the nearest one would mean something else. */
function isQuantity(jsonSchema: JsonSchema, path: Path): boolean {
  let node: unknown = jsonSchema;
  for (const key of path) {
    const { properties, items } = isObject(node) ? node : {};
    node = typeof key === "number" ? items : isObject(properties) ? properties[String(key)] : undefined;
  }
  return isObject(node) && node.type === "number";
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce((node, key) => (node as Container | undefined)?.[key], value);
}
