import { invalid } from "../../../shared/kernel/errors.ts";
import { MAX_OFFSET, type PageRequest } from "../../../shared/kernel/pagination.ts";

/** A page as mem0 counts them, from 1. */
interface NumberedPage {
  page: number;
  page_size: number;
}

/** Throws VALIDATION_ERROR where the page is deeper than lists go. */
export function toPageRequest({ page, page_size }: NumberedPage): PageRequest {
  const offset = (page - 1) * page_size;
  if (offset > MAX_OFFSET) throw invalid({ field: "page", problem: `page * page_size is at most ${MAX_OFFSET}` });
  return { limit: page_size, offset };
}

/** `count` and the paths of the pages beside it. */
export function pageLinks(
  path: string,
  { page, page_size }: NumberedPage,
  { total, hasNext }: { total: number; hasNext: boolean },
) {
  const pathOf = (number: number) => `${path}/?page=${number}&page_size=${page_size}`;
  return { count: total, next: hasNext ? pathOf(page + 1) : null, previous: page > 1 ? pathOf(page - 1) : null };
}
