import type { Json, JsonObject, Scalar } from "../platform/ports.ts";

/** Longest term kept as it is, in characters; search engines refuse much longer ones and no one filters by them. */
const MAX_TERM_LENGTH = 512;

/**
 * What both search indexes store so that `SearchFilters.metadata` is an exact look-up: one term a scalar,
 * `<dotted path>=<JSON of the value>`, so the string "1", the number 1 and true stay apart. Members of an array stand
 * under the array's own path. Distinct terms, in order of appearance; nulls have none.
 */
export function metadataTerms(metadata: JsonObject): string[] {
  const terms = new Set<string>();
  collect("", metadata, terms);
  return [...terms];
}

/** The term a document holds if its metadata has `value` at `path`. */
export function metadataTerm(path: string, value: Scalar): string {
  return `${path}=${JSON.stringify(value)}`.slice(0, MAX_TERM_LENGTH);
}

function collect(path: string, value: Json, terms: Set<string>): void {
  if (value === null) return;
  if (Array.isArray(value)) {
    for (const member of value) collect(path, member, terms);
  } else if (typeof value === "object") {
    for (const [name, member] of Object.entries(value)) collect(path === "" ? name : `${path}.${name}`, member, terms);
  } else {
    terms.add(metadataTerm(path, value));
  }
}
