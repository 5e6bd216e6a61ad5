/** The members of a list's `pagination` that tell where its next page starts. */
interface Page {
  limit: number;
  offset: number;
  has_next: boolean;
  next_cursor?: string;
}

/** The Link header (RFC 8288) of a list with a next page, relative to the request's address. */
export function linkToNext(url: string, data: unknown): string | undefined {
  const page = pageOf(data);
  if (!page?.has_next) return undefined;
  const { pathname, searchParams } = new URL(url);
  searchParams.set("limit", String(page.limit));
  searchParams.delete("offset");
  const [name, start] = page.next_cursor ? ["cursor", page.next_cursor] : ["offset", String(page.offset + page.limit)];
  searchParams.set(name, start);
  return `<${pathname}?${searchParams}>; rel="next"`;
}

function pageOf(data: unknown): Page | undefined {
  if (typeof data !== "object" || data === null || !("pagination" in data)) return undefined;
  return data.pagination as Page;
}
