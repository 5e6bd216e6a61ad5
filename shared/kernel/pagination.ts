import { invalid } from "./errors.ts";

/** Maximum offset of a list, because all items before it are read and discarded. */
export const MAX_OFFSET = 10_000;

export interface PageRequest {
  limit: number;
  offset: number;
}

export interface Pagination extends PageRequest {
  total: number;
  has_next: boolean;
}

export function pagination(page: PageRequest, total: number, hasNext: boolean): Pagination {
  return { total, limit: page.limit, offset: page.offset, has_next: hasNext };
}

export interface SortOrder<Field extends string> {
  field: Field;
  descending: boolean;
}

/** Parses the contract's sort string, '<field> <asc|desc>', descending by default. Throws VALIDATION_ERROR. */
export function parseSort<Field extends string>(sort: string, fields: readonly Field[]): SortOrder<Field> {
  const [name, direction = "desc", ...rest] = sort.trim().split(/\s+/);
  const field = fields.find((known) => known === name);
  if (field === undefined || rest.length > 0 || !["asc", "desc"].includes(direction)) {
    throw invalid({ field: "sort", problem: `use '<field> <asc|desc>' with one of: ${fields.join(", ")}` });
  }
  return { field, descending: direction === "desc" };
}
