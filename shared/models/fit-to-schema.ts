import type * as z from "zod";
import type { Json } from "../platform/ports.ts";

export type JsonSchema = { [keyword: string]: Json };

export type Fitted<Output> = { value: Output; mistakes?: undefined } | { mistakes: string };

/** Mistakes that are named; more of them teach a model no more. */
const MAX_MISTAKES = 8;
/** A list that would lose more of its elements is of the wrong shape as a whole. */
const MAX_DROPPED_SHARE = 0.5;
/** A repair may bring to light what was not judged before. */
const MAX_REPAIRS = 2;

/**
 * A value as its schema wants it, repaired where that bends nothing: a quantity out of its range becomes the nearest one
 * within, an element that does not fit is dropped from its list. Changes the value it is given.
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

/** False where an issue is beyond repair. */
function repairIssues(value: object, issues: z.core.$ZodIssue[], jsonSchema: JsonSchema): boolean {
  const bad = new Map<unknown[], Set<number>>();
  for (const issue of issues) {
    const bound = boundOf(issue);
    if (bound !== undefined && isQuantity(jsonSchema, issue.path)) {
      const parent = at(value, issue.path.slice(0, -1));
      (parent as Container)[issue.path.at(-1) ?? ""] = bound;
      continue;
    }
    const place = issue.path.findLastIndex((key) => typeof key === "number");
    const list = place === -1 ? undefined : at(value, issue.path.slice(0, place));
    if (!Array.isArray(list)) return false;
    bad.set(list, (bad.get(list) ?? new Set()).add(Number(issue.path[place])));
  }
  for (const [list, places] of bad) {
    if (places.size > list.length * MAX_DROPPED_SHARE) return false;
    list.splice(0, list.length, ...list.filter((_element, place) => !places.has(place)));
  }
  return true;
}

function boundOf(issue: z.core.$ZodIssue): number | undefined {
  if (issue.code === "too_big" && issue.inclusive) return Number(issue.maximum);
  return issue.code === "too_small" && issue.inclusive ? Number(issue.minimum) : undefined;
}

/** Whether a number is an amount: an integer may be a number of something else, of which the nearest is another one. */
function isQuantity(jsonSchema: JsonSchema, path: Path): boolean {
  let node: Json | undefined = jsonSchema;
  for (const key of path) {
    const parent: JsonSchema = isObject(node) ? node : {};
    const properties = parent.properties;
    node = typeof key === "number" ? parent.items : isObject(properties) ? properties[String(key)] : undefined;
  }
  return isObject(node) && node.type === "number";
}

function isObject(json: Json | undefined): json is JsonSchema {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

function at(value: unknown, path: Path): unknown {
  return path.reduce((node, key) => (node as Container | undefined)?.[key], value);
}
