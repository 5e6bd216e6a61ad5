import type { RecordKey, RecordQuery, RecordStore, StoredRecord, Write } from "./record-store.ts";

/** Segments of walks through all records for those of a few kinds, which are a small part of each page. */
export const SEGMENTS = 8;

/** Yields all pages in order; each is read with the previous page's cursor. */
export async function* pagesOf<Page extends { cursor?: string }>(
  read: (after: string | undefined) => Promise<Page>,
): AsyncGenerator<Page> {
  let after: string | undefined;
  do {
    const page = await read(after);
    yield page;
    after = page.cursor;
  } while (after !== undefined);
}

/** Yields all records of a query in pages of `limit`, without empty pages. */
export async function* queryPages(
  records: Pick<RecordStore, "query">,
  query: Omit<RecordQuery, "after">,
): AsyncGenerator<StoredRecord[], void> {
  for await (const { items } of pagesOf((after) => records.query({ ...query, after }))) {
    if (items.length > 0) yield items;
  }
}

/** Returns all records of a query, read in pages of `limit`. */
export async function queryAll(...query: Parameters<typeof queryPages>): Promise<StoredRecord[]> {
  const all: StoredRecord[] = [];
  for await (const items of queryPages(...query)) all.push(...items);
  return all;
}

/** Returns the existing records of keys in different partitions, in the order of the keys. */
export async function getInOrder(records: Pick<RecordStore, "getMany">, keys: RecordKey[]): Promise<StoredRecord[]> {
  const found = new Map((await records.getMany(keys)).map((record) => [record.pk, record]));
  return keys.flatMap(({ pk }) => found.get(pk) ?? []);
}

/** Deletes the records of a query that pass a test, one page per transaction; returns their number. */
export async function deleteAll(
  records: Pick<RecordStore, "query" | "write">,
  query: Omit<RecordQuery, "after">,
  passes: (record: StoredRecord) => boolean = () => true,
): Promise<number> {
  let count = 0;
  for await (const items of queryPages(records, query)) {
    const writes = items.filter(passes).map(({ pk, sk }): Write => ({ delete: { pk, sk } }));
    if (writes.length > 0) await records.write(...writes);
    count += writes.length;
  }
  return count;
}
