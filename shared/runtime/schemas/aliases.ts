import { isDeepStrictEqual } from "node:util";
import type { FieldProblem } from "../../kernel/errors.ts";
import { isObject } from "../../kernel/objects.ts";
import { type Shape, shapeOf } from "./schema-parts.ts";

/** Names that routes use for the same thing. A schema that has exactly one of a row accepts the others as aliases. */
const NAMES_OF_ONE_THING = [
  ["expire_at", "expires_at", "expiration_date"],
  ["q", "query"],
  ["settings", "default_settings"],
  ["budget", "initial_budget"],
  ["include_path", "include_paths"],
] as const;

/**
 * The field of filters. A request may also send each filter at its top level, unless the body has a field of that name.
 */
const FILTERS = "filters";
/** Filters that are not accepted at the top level. */
const ONLY_IN_FILTERS: ReadonlySet<string> = new Set(["metadata"]);

const CACHE = new WeakMap<Shape, ReadonlyMap<string, string[]>>();

/** Returns the aliases of a shape's fields, each with the path of the field. */
export function aliasesOf(shape: Shape): ReadonlyMap<string, string[]> {
  const aliases = CACHE.get(shape) ?? findAliases(shape);
  CACHE.set(shape, aliases);
  return aliases;
}

function findAliases(shape: Shape): ReadonlyMap<string, string[]> {
  const filters = Object.hasOwn(shape, FILTERS) ? shape[FILTERS] : undefined;
  return aliasesAmong(Object.keys(shape), Object.keys((filters && shapeOf(filters)) ?? {}));
}

/** Returns the aliases for an object with the fields `names`, and with the fields `filters` in its `filters`. */
export function aliasesAmong(names: readonly string[], filters: readonly string[]): ReadonlyMap<string, string[]> {
  const own = new Set(names);
  const synonyms = NAMES_OF_ONE_THING.flatMap((row): [string, string[]][] => {
    const [known, another] = row.filter((name) => own.has(name));
    if (known === undefined || another !== undefined) return [];
    return row.filter((name) => name !== known).map((alias) => [alias, [known]]);
  });
  const atTopLevel = filters.filter((name) => !ONLY_IN_FILTERS.has(name) && !own.has(name));
  return new Map([...synonyms, ...atTopLevel.map((name): [string, string[]] => [name, [FILTERS, name]])]);
}

/**
 * Returns the object with fields under the shape's own names, and a problem for each alias whose value contradicts one.
 */
export function withOwnNames(
  shape: Shape,
  given: Record<string, unknown>,
): { value: Record<string, unknown>; problems: FieldProblem[]; renamed: [alias: string, own: string][] } {
  const problems: FieldProblem[] = [];
  const renamed: [string, string][] = [];
  let value = given;
  for (const [alias, path] of aliasesOf(shape)) {
    if (!Object.hasOwn(given, alias)) continue;
    const { [alias]: sent, ...rest } = value;
    const placed = setAtPath(rest, path, sent);
    if (placed) {
      value = placed;
      renamed.push([alias, path.join(".")]);
    } else {
      const problem = `\`${alias}\` and \`${path.join(".")}\` mean the same and differ: send one`;
      problems.push({ field: alias, problem });
    }
  }
  return { value, problems, renamed };
}

/** Returns the object with the value at the path; undefined if another value is there. */
function setAtPath(
  object: Record<string, unknown>,
  [name = "", ...inner]: string[],
  sent: unknown,
): Record<string, unknown> | undefined {
  const there = object[name];
  if (inner.length === 0)
    return there === undefined || isDeepStrictEqual(only(there), only(sent)) ? { ...object, [name]: sent } : undefined;
  if (there !== undefined && there !== null && !isObject(there)) return undefined;
  const placed = setAtPath(isObject(there) ? there : {}, inner, sent);
  return placed && { ...object, [name]: placed };
}

/** Returns the item of a list with one item, because both mean the same; any other value unchanged. */
function only(value: unknown): unknown {
  return Array.isArray(value) && value.length === 1 ? value[0] : value;
}
