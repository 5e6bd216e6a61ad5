import type { Clock } from "../../shared/kernel/clock.ts";
import { FACETS } from "../../shared/ports/facets.ts";
import { identityOf, keyOf } from "../../shared/ports/preconditions.ts";
import type {
  IndexName,
  RecordPage,
  RecordQuery,
  RecordStore,
  StoredRecord,
  Write,
} from "../../shared/ports/record-store.ts";
import type { BrowseAnswer, SearchAnswer, SearchDocument, SearchIndex } from "../../shared/ports/search-index.ts";

/** An index lags by less than this. */
const LAG_MS = 1_000;
const PAGE = 1_000;

/** Values that were noted within the lag. */
class Lately<T> {
  readonly #clock: Clock;
  readonly #noted = new Map<string, { at: number; what: T }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The first note is kept: it is the state before all recent changes. */
  note(name: string, what: T): void {
    if (this.get(name) === undefined) this.#noted.set(name, { at: this.#clock(), what });
  }

  get(name: string): { what: T } | undefined {
    const noted = this.#noted.get(name);
    return noted && this.#clock() - noted.at < LAG_MS ? noted : undefined;
  }
}

export function recordIndexOf(query: unknown): IndexName | undefined {
  return (query as Partial<RecordQuery> | undefined)?.index;
}

/** Returns what a table's indexes contained before the latest writes. */
export class RecentRecords {
  readonly #records: RecordStore;
  readonly #before: Lately<StoredRecord | undefined>;

  constructor(records: RecordStore, clock: Clock) {
    this.#records = records;
    this.#before = new Lately(clock);
  }

  /** Must be called before the writes are made. */
  async note(writes: Write[]): Promise<void> {
    const keys = writes.filter((write) => !("check" in write)).map(keyOf);
    const items = await this.#records.getMany(keys);
    const found = new Map(items.map((item) => [identityOf(item), item]));
    for (const key of keys) this.#before.note(identityOf(key), found.get(identityOf(key)));
  }

  /**
   * Omits new items and shows changed ones as they were, unless the query has a filter or the change moved them in the index.
   */
  page({ index, pk, where }: RecordQuery, page: RecordPage): RecordPage {
    const items = page.items.flatMap((item) => {
      const noted = this.#before.get(identityOf(item));
      if (noted === undefined) return [item];
      const { what: before } = noted;
      if (before === undefined || before[`${index}pk`] !== pk) return [];
      const isElsewhere = before[`${index}sk`] !== item[`${index}sk`];
      return [where !== undefined || isElsewhere ? item : heldBy(index, before)];
    });
    return { ...page, items };
  }

  /** Counts the items that the lagging index contains. */
  async count(query: Omit<RecordQuery, "limit">, upTo: number): Promise<number> {
    let counted = 0;
    let after: string | undefined;
    do {
      const page = await this.#records.query({ ...query, limit: PAGE, ...(after !== undefined && { after }) });
      counted += this.page({ ...query, limit: PAGE }, page).items.length;
      after = page.cursor;
    } while (after !== undefined && counted < upTo);
    return Math.min(counted, upTo);
  }
}

/** The narrow index contains only the keys and the facets of an item. */
function heldBy(index: IndexName | undefined, item: StoredRecord): StoredRecord {
  if (index !== "gsi3") return item;
  const held = new Set<string>(["pk", "sk", "gsi3pk", "gsi3sk", ...FACETS]);
  return Object.fromEntries(Object.entries(item).filter(([name]) => held.has(name))) as StoredRecord;
}

/** Removes the documents that were added last from a search index's answers. */
export class RecentDocuments {
  readonly #search: SearchIndex;
  readonly #added: Lately<true>;

  constructor(search: SearchIndex, clock: Clock) {
    this.#search = search;
    this.#added = new Lately(clock);
  }

  /** Must be called before the documents are written. */
  async note(documents: SearchDocument[]): Promise<void> {
    const known = await this.#search.versions(documents);
    const names = new Set(known.map(({ id }) => id));
    for (const { id } of documents) if (!names.has(id)) this.#added.note(id, true);
  }

  answer(answer: SearchAnswer): SearchAnswer {
    return { ...answer, semantic: this.#shown(answer.semantic), keyword: this.#shown(answer.keyword) };
  }

  browsed({ documents, total }: BrowseAnswer): BrowseAnswer {
    const shown = this.#shown(documents);
    return { documents: shown, total: total - (documents.length - shown.length) };
  }

  #shown<T extends { id: string }>(found: T[]): T[] {
    return found.filter(({ id }) => this.#added.get(id) === undefined);
  }
}
