import { timestamp } from "../kernel/clock.ts";
import { sha256 } from "../kernel/digest.ts";
import type { Json, Scalar } from "./json.ts";
import type { SearchCondition, SearchSource } from "./search-index.ts";

/** Maximum length in characters of a path that is stored as is; a longer path is replaced by its digest. */
const MAX_PATH_LENGTH = 200;

/**
 * Returns the facets of a document: texts that both search indexes store to look up, compare and search its values. A
 * facet consists of a path, a kind and a value, and sorts bytewise in the order of the values. Kinds: `s` a text, `i`
 * the text in lower case, `n` a number, `b` true or false, `*` that a value exists. Members of an array have the path
 * of the array. Facets are distinct; null values have no facets.
 */
export function facetsOf(document: Pick<SearchSource, "created_at" | "updated_at" | "metadata"> & Faceted): string[] {
  const {
    id,
    created_at,
    occurred_at = created_at,
    updated_at,
    expire_at,
    user_id,
    category,
    categories,
    type,
    labels = {},
    metadata,
  } = document;
  const facets = new Set<string>();
  for (const [path, value] of Object.entries({ id, created_at, occurred_at: toUtc(occurred_at), updated_at })) {
    if (value !== undefined) facets.add(valueFacet(path, value));
  }
  const all = categories ?? (category === undefined ? undefined : [category]);
  const { agent: agent_id, app: app_id, run: run_id } = labels;
  const fields = { user_id, agent_id, app_id, run_id, category, categories: all, type, expire_at };
  for (const [path, value] of Object.entries(fields)) if (value !== undefined) collect(path, value, facets);
  collect("metadata", metadata, facets);
  return [...facets];
}

type Faceted = Partial<
  Pick<SearchSource, "id" | "occurred_at" | "expire_at" | "user_id" | "category" | "categories" | "type" | "labels">
>;

/** Converts a moment to UTC, because facets of timestamps sort chronologically only in the same offset. */
function toUtc(moment: string): string {
  return timestamp(Date.parse(moment));
}

/** Returns the facet of a document that has this value at this path. */
export function valueFacet(path: string, value: Scalar): string {
  const key = keyOf(path);
  if (typeof value === "number") return `${key}n${sortableHex(value)}`;
  return typeof value === "boolean" ? `${key}b${value}` : `${key}s${value}`;
}

/** Returns the path of a metadata value, given its dotted path within the metadata. */
export function metadataPath(path: string): string {
  return `metadata.${path}`;
}

/** A test of facets that corresponds to a condition on one path. */
export type FacetTest =
  /** Any of these facets. */
  | { among: string[] }
  /** Facets that start with `prefix` and contain `part` anywhere after it. */
  | { prefix: string; part: string }
  /** Facets in a range; both ends are of the same kind, and each is inclusive or exclusive. */
  | { from: string; includesFrom: boolean; to: string; includesTo: boolean };

/** Returns the facet test of a condition: a document meets the condition if any of its facets passes the test. */
export function facetTestOf(condition: SearchCondition): FacetTest {
  const { path } = condition;
  const key = keyOf(path);
  if ("equals" in condition) return { among: condition.equals.map((value) => valueFacet(path, value)) };
  if ("present" in condition) return { among: [`${key}*`] };
  if ("contains" in condition) {
    const { contains, anyCase } = condition;
    return anyCase ? { prefix: `${key}i`, part: contains.toLowerCase() } : { prefix: `${key}s`, part: contains };
  }
  const { atLeast, greaterThan, atMost, lessThan } = condition;
  const [low, high] = [atLeast ?? greaterThan, atMost ?? lessThan];
  const isNumber = typeof (low ?? high) === "number";
  return {
    from: low === undefined ? `${key}${isNumber ? "n" : "s"}` : valueFacet(path, low),
    includesFrom: atLeast !== undefined || low === undefined,
    // An open end is the letter after the kind's letter.
    to: high === undefined ? `${key}${isNumber ? "o" : "t"}` : valueFacet(path, high),
    includesTo: atMost !== undefined,
  };
}

/** Returns the path as a JSON string: because of its quotation marks, no key is a prefix of another path's key. */
function keyOf(path: string): string {
  const short = path.length > MAX_PATH_LENGTH ? `#${sha256(path)}` : path;
  return JSON.stringify(short);
}

function collect(path: string, value: Json, facets: Set<string>): void {
  if (value === null) return;
  if (Array.isArray(value)) {
    for (const member of value) collect(path, member, facets);
  } else if (typeof value === "object") {
    for (const [name, member] of Object.entries(value)) collect(`${path}.${name}`, member, facets);
  } else {
    facets.add(valueFacet(path, value));
    facets.add(`${keyOf(path)}*`);
    if (typeof value === "string") facets.add(`${keyOf(path)}i${value.toLowerCase()}`);
  }
}

/**
 * Returns 16 hex digits that sort like the numbers: a double's bits, all inverted if negative, otherwise the sign bit.
 */
function sortableHex(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value === 0 ? 0 : value);
  const bits = view.getBigUint64(0);
  const isNegative = bits >> 63n === 1n;
  const sortable = isNegative ? ~bits & 0xffff_ffff_ffff_ffffn : bits | (1n << 63n);
  return sortable.toString(16).padStart(16, "0");
}
