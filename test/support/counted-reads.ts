import { AsyncLocalStorage } from "node:async_hooks";
import type { Ports } from "../../shared/ports/ports.ts";
import type { RecordQuery, RecordStore, StoredRecord } from "../../shared/ports/record-store.ts";
import type { SearchIndex } from "../../shared/ports/search-index.ts";
import { replaced } from "./replaced.ts";

/** Keys that one read of an index counts; counting stops at the ceiling of lists. */
const COUNTED_PER_READ = 1_000;
const MAX_PAGE = 1_000;

/** The calls, the items that they examine or write, and the queues that receive messages, of one measured function. */
export interface Work {
  reads: number;
  writes: number;
  queues: Set<string>;
}

const current = new AsyncLocalStorage<Work>();

/** Counts what a function reads and writes, without what other work does meanwhile. */
export async function measure(run: () => Promise<unknown>): Promise<Work> {
  const work: Work = { reads: 0, writes: 0, queues: new Set() };
  await current.run(work, run);
  return work;
}

/** Ports whose record store, search index and queue count for `measure`. */
export function countedPorts(ports: Ports): Ports {
  return portsThatCount(ports, () => current.getStore());
}

/**
 * Ports that count everything that is done with them, and nothing else: not what loops of the service do because of it.
 * The record store is a new object, so caches that are kept for each record store start empty.
 */
export function ownPorts(ports: Ports): { ports: Ports; work: Work } {
  const work: Work = { reads: 0, writes: 0, queues: new Set() };
  return { ports: portsThatCount(ports, () => work), work };
}

/** The work that counts now, if any. */
type Counting = () => Work | undefined;

function portsThatCount(ports: Ports, counting: Counting): Ports {
  const records = replaced(ports.records, countedRecords(ports.records, counting));
  const search = replaced(ports.search, countedSearch(ports.search, counting));
  const queue = replaced(ports.queue, {
    send: (name, messages) => {
      const work = counting();
      work?.queues.add(name);
      if (work) work.writes += messages.length;
      return ports.queue.send(name, messages);
    },
  });
  return replaced(ports, { records, search, queue });
}

function notesOf(counting: Counting) {
  const note = (kind: "reads" | "writes") => (count: number) => {
    const work = counting();
    if (work) work[kind] += count;
  };
  return { noteReads: note("reads"), noteWrites: note("writes") };
}

function countedRecords(records: RecordStore, counting: Counting): Partial<RecordStore> {
  const { noteReads, noteWrites } = notesOf(counting);
  return {
    get(key) {
      noteReads(1);
      return records.get(key);
    },
    getMany(keys) {
      noteReads(1 + keys.length);
      return records.getMany(keys);
    },
    async query(query) {
      const page = await records.query(query);
      if (counting()) noteReads(1 + (await examined(records, query, page.items, page.cursor)));
      return page;
    },
    async count(query, upTo) {
      const count = await records.count(query, upTo);
      noteReads(1 + Math.floor(count / COUNTED_PER_READ));
      return count;
    },
    write(...writes) {
      noteWrites(writes.length);
      return records.write(...writes);
    },
  };
}

/** The items that a query passes over or returns: a test of attributes reads also those that fail it. */
async function examined(
  records: RecordStore,
  { where, offset = 0, ...query }: RecordQuery,
  items: StoredRecord[],
  cursor: string | undefined,
): Promise<number> {
  if (where === undefined) return offset + items.length;
  const last = cursor === undefined ? undefined : items.at(-1);
  for (let passed = 0, after = query.after; ; ) {
    const page = await records.query({ ...query, limit: MAX_PAGE, ...(after !== undefined && { after }) });
    const position = last ? page.items.findIndex(({ pk, sk }) => pk === last.pk && sk === last.sk) : -1;
    if (position >= 0) return passed + position + 1;
    passed += page.items.length;
    after = page.cursor;
    if (after === undefined) return passed;
  }
}

function countedSearch(search: SearchIndex, counting: Counting): Partial<SearchIndex> {
  const { noteReads, noteWrites } = notesOf(counting);
  const noted = <T>(answer: Promise<T>, items: (answer: T) => number): Promise<T> =>
    answer.then((given) => {
      noteReads(1 + items(given));
      return given;
    });
  return {
    search: (request) => noted(search.search(request), ({ semantic, keyword }) => semantic.length + keyword.length),
    neighbours: (request) => noted(search.neighbours(request), ({ documents }) => documents.length),
    browse: (request) => noted(search.browse(request), ({ documents }) => documents.length + request.offset),
    versions: (references) => noted(search.versions(references), (found) => found.length),
    vectorsOf: (contents) => noted(search.vectorsOf(contents), (found) => found.length),
    list: (request) => noted(search.list(request), ({ documents }) => documents.length),
    count: (scope) => noted(search.count(scope), () => 0),
    aggregate: (scope, terms) => noted(search.aggregate(scope, terms), () => 0),
    upsert(documents) {
      noteWrites(documents.length);
      return search.upsert(documents);
    },
    remove(references) {
      noteWrites(references.length);
      return search.remove(references);
    },
  };
}
