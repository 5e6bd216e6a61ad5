import type * as z from "zod";
import { about, namesScope, narrow, readFilters } from "../../../shared/domain/integration/compat/filters.ts";
import { invalid, type ServiceError } from "../../../shared/kernel/errors.ts";
import type { SearchFilters } from "../../../shared/ports/search-index.ts";
import type { CompatList } from "./schemas.ts";

type Narrowing = Pick<
  z.output<typeof CompatList>,
  "user_id" | "agent_id" | "app_id" | "run_id" | "filters" | "metadata" | "categories" | "start_date" | "end_date"
>;

/**
 * The filter expression of a search or a list, from its filters and top-level names. Throws INVALID_FILTERS, and
 * VALIDATION_ERROR if no owner is named.
 */
export function readNarrowing(given: Narrowing): SearchFilters {
  const { categories, metadata, start_date, end_date } = given;
  const [named, filtered] = [about(given), readFilters(given.filters)];
  if (!namesScope({ all: [named, filtered] })) throw withoutScope();
  return narrow(
    named,
    filtered,
    metadata ? readFilters({ metadata }, "body") : { all: [] },
    categories ? { path: "categories", equals: categories } : { all: [] },
    start_date === undefined ? { all: [] } : readFilters({ created_at: { gte: start_date } }, "start_date"),
    end_date === undefined ? { all: [] } : readFilters({ created_at: { lte: end_date } }, "end_date"),
  );
}

function withoutScope(): ServiceError {
  return invalid({
    field: "filters",
    problem: "must contain a user_id, agent_id, app_id or run_id, here or at the top level; '*' means all",
  });
}

/** Fields that are present only because `include` requests them. */
const INCLUDED = ["documents", "related_memories", "is_forgotten"];

/** Removes fields that were not requested, except the id. Without a list of fields, all are kept. */
export function project<Shown extends { id: string }>(
  shown: Shown,
  fields: readonly string[] | null | undefined,
): Partial<Shown> & { id: string } {
  if (!fields) return shown;
  const kept = Object.entries(shown).filter(([name]) => [...fields, ...INCLUDED].includes(name));
  return { ...Object.fromEntries(kept), id: shown.id } as Partial<Shown> & { id: string };
}
