import { ServiceError } from "../../shared/kernel/errors.ts";
import type { SearchFilters } from "../../shared/platform/ports.ts";
import * as schemas from "./schemas.ts";

/** What a search is narrowed to. Throws INVALID_FILTERS that names each filter at fault. */
export function readFilters(given: unknown = {}): SearchFilters {
  const parsed = schemas.SearchFilters.safeParse(given);
  if (!parsed.success) {
    const fields = parsed.error.issues.map(({ path, message }) => ({
      field: ["filters", ...path].join("."),
      problem: message,
    }));
    throw invalidFilters(fields);
  }
  const { metadata, ...rest } = parsed.data;
  return metadata === undefined ? rest : { ...rest, metadata: Object.fromEntries(flatten(metadata, "")) };
}

function invalidFilters(fields: { field: string; problem: string }[]): ServiceError {
  const named = fields.map(({ field, problem }) => `${field}: ${problem}`).join("; ");
  return new ServiceError("INVALID_FILTERS", `The filters are not valid. ${named}`, { fields });
}

/** `{a: {b: 1}}` is the equality `a.b = 1`. */
function flatten(values: Record<string, unknown>, prefix: string): [string, string | number | boolean][] {
  return Object.entries(values).flatMap(([name, value]) => {
    const path = prefix + name;
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return [[path, value]];
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return flatten({ ...value }, `${path}.`);
    throw invalidFilters([
      { field: `filters.metadata.${path}`, problem: "must be a string, number, boolean or object" },
    ]);
  });
}
