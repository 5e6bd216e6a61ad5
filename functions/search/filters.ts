import { isTest, readTests } from "../../shared/domain/integration/compat/filters.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import { isObject } from "../../shared/kernel/objects.ts";
import type { Scalar } from "../../shared/ports/json.ts";
import type { SearchFilters } from "../../shared/ports/search-index.ts";
import { MAX_METADATA_DEPTH } from "../../shared/runtime/schemas/fields.ts";
import { readNames } from "../../shared/runtime/schemas/known-fields.ts";
import * as schemas from "./schemas.ts";

/** Maximum metadata values of one search: each is a clause of the engines' queries, which are limited. */
const MAX_EQUALITIES = 50;

/** The filters of a search. Throws an INVALID_FILTERS that names each invalid filter. */
export function readFilters(given: unknown = {}): SearchFilters {
  const { value, problems } = readNames(schemas.SearchFilters, given);
  if (problems.length > 0) {
    throw invalidFilters(problems.map(({ field, problem }) => ({ field: `filters.${field}`, problem })));
  }
  const parsed = schemas.SearchFilters.safeParse(value);
  if (!parsed.success) {
    const fields = parsed.error.issues.map(({ path, message }) => ({
      field: ["filters", ...path].join("."),
      problem: message,
    }));
    throw invalidFilters(fields);
  }
  const { metadata, ...rest } = parsed.data;
  if (metadata === undefined) return rest;
  const wanted = flatten(metadata, []);
  if (wanted.length > MAX_EQUALITIES) {
    throw invalidFilters([{ field: "filters.metadata", problem: `at most ${MAX_EQUALITIES} values` }]);
  }
  const tests = wanted.filter((one): one is [string, object] => isObject(one[1]));
  const equalities = wanted.filter((one): one is [string, Scalar] => !isObject(one[1]));
  return {
    ...rest,
    metadata: Object.fromEntries(equalities),
    ...(tests.length > 0 && { where: readTests(tests) }),
  };
}

function invalidFilters(fields: { field: string; problem: string }[]): ServiceError {
  const named = fields.map(({ field, problem }) => `${field}: ${problem}`).join("; ");
  return new ServiceError("INVALID_FILTERS", `The filters are not valid. ${named}`, { fields });
}

/** `{a: {b: 1}}` is the equality `a.b = 1`, `{a: {gt: 1}}` a test of `a`. */
function flatten(values: object, outer: string[]): [string, Scalar | object][] {
  if (outer.length >= MAX_METADATA_DEPTH) {
    throw invalidFilters([{ field: "filters.metadata", problem: `at most ${MAX_METADATA_DEPTH} levels deep` }]);
  }
  return Object.entries(values).flatMap(([name, value]: [string, unknown]) => {
    const names = [...outer, name];
    const path = names.join(".");
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return [[path, value]];
    if (isObject(value)) return isTest(value) ? [[path, value]] : flatten(value, names);
    throw invalidFilters([
      { field: `filters.metadata.${path}`, problem: "must be a string, number, boolean or object" },
    ]);
  });
}
