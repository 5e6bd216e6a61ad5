import { invalid } from "./errors.ts";

/** Maximum offset of a list, because all items before it are read and discarded. */
export const MAX_OFFSET = 10_000;

export interface PageRequest {
  limit: number;
  offset: number;
  /** Where the previous page ended, instead of an offset; opaque. */
  cursor?: string | undefined;
}

export interface Pagination {
  total: number;
  limit: number;
  offset: number;
  has_next: boolean;
  next_cursor?: string;
}

/** `next` is the cursor of the next page, if the list has cursors. */
export function pagination(page: PageRequest, total: number, hasNext: boolean, next?: string): Pagination {
  return { total, limit: page.limit, offset: page.offset, has_next: hasNext, ...(next && { next_cursor: next }) };
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
