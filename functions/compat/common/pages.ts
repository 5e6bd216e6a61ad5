import { type Config, publicUrlOf } from "../../../shared/kernel/config.ts";
import { invalid } from "../../../shared/kernel/errors.ts";
import { MAX_OFFSET, type PageRequest } from "../../../shared/kernel/pagination.ts";

/** A page as mem0 counts them, from 1. */
interface NumberedPage {
  page: number;
  page_size: number;
}

/** Throws VALIDATION_ERROR if the page is beyond the limit of lists. */
export function toPageRequest({ page, page_size }: NumberedPage): PageRequest {
  if (page * page_size > MAX_OFFSET) {
    throw invalid({
      field: "page",
      problem: `must be within the first ${MAX_OFFSET} items; narrow the list with filters`,
    });
  }
  return { limit: page_size, offset: (page - 1) * page_size };
}

/** Returns `count` and the URLs of the neighbouring pages with the same query. */
export function pageLinks(
  { config }: { config: Pick<Config, "PUBLIC_URL" | "HOST" | "PORT"> },
  path: string,
  { page, page_size, ...filters }: NumberedPage & Record<string, string | number | undefined>,
  total: number,
) {
  const urlOf = (number: number) => {
    const query = Object.entries({ page: number, page_size, ...filters });
    const named = query.flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, `${value}`]],
    );
    return `${publicUrlOf(config)}${path}/?${new URLSearchParams(named)}`;
  };
  const hasNext = page * page_size < total && (page + 1) * page_size <= MAX_OFFSET;
  return { count: total, next: hasNext ? urlOf(page + 1) : null, previous: page > 1 ? urlOf(page - 1) : null };
}
