import { isFilter, toSnakeCase } from "../../../shared/domain/integration/compat/filters.ts";
import { isObject } from "../../../shared/kernel/objects.ts";

const GROUPS = new Set(["AND", "OR", "NOT"]);
/** mem0's server writes groups in either form. */
const DOLLAR = /^\$(and|or|not)$/;
/** Filters are refused beyond fewer levels, so the rest needs no translation. */
const MAX_DEPTH = 20;

/**
 * Returns filters of mem0's own server as those of its platform: there, a name that is no field of a memory is one of
 * its metadata.
 */
export function toOwnFilters(filters: unknown, depth = 0): unknown {
  if (Array.isArray(filters)) return filters.map((each) => toOwnFilters(each, depth));
  if (!isObject(filters) || depth > MAX_DEPTH) return filters;
  const own: Record<string, unknown> = {};
  const metadata: Record<string, unknown> = {};
  for (const [given, value] of Object.entries(filters)) {
    const name = given.replace(DOLLAR, (_whole, word: string) => word.toUpperCase());
    if (GROUPS.has(name)) own[name] = toOwnFilters(value, depth + 1);
    else if (isFilter(toSnakeCase(name))) own[name] = value;
    else metadata[name] = value;
  }
  return Object.keys(metadata).length === 0 ? own : { ...own, AND: [...andOf(own), { metadata }] };
}

function andOf({ AND: given }: Record<string, unknown>): unknown[] {
  if (given === undefined) return [];
  return Array.isArray(given) ? given : [given];
}
