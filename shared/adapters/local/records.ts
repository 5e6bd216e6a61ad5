import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import type { Clock } from "../../kernel/clock.ts";
import type { Logger } from "../../kernel/logger.ts";
import { deepFrozen } from "../../kernel/objects.ts";
import { inBatches } from "../../kernel/parallel.ts";
import { allowsAbsentItem } from "../../ports/conditions.ts";
import { fromCursor, toCursor } from "../../ports/cursor.ts";
import { ConditionFailedError, OutOfSpaceError, RecordTooLargeError } from "../../ports/errors.ts";
import type { Json } from "../../ports/json.ts";
import { identityOf, keyOf, requireQueryLimit, requireSoundWrites } from "../../ports/preconditions.ts";
import type { InventoryRequest, RecordInventory, RecordSnapshot, UpgradePage } from "../../ports/record-inventory.ts";
import type {
  Condition,
  ConnectionUse,
  RecordKey,
  RecordPage,
  RecordPosition,
  RecordQuery,
  RecordStore,
  StoredRecord,
  Write,
} from "../../ports/record-store.ts";
import { markWritten } from "../../ports/write-tracking.ts";
import { upgradeItems } from "../../runtime/upgrades/item-upgrade.ts";
import { fromColumn } from "./attribute-tests.ts";
import { ChangeFeed, type ChangeReader, type PendingChange, type StreamSubscription } from "./changes.ts";
import type { DiskReserve } from "./disk-reserve.ts";
import { itemSize, MAX_ITEM_BYTES } from "./item-size.ts";
import { RECORD_MIGRATIONS } from "./record-migrations.ts";
import {
  COLUMNS,
  compileSelection,
  compileWhere,
  cursorAfter,
  cursorAt,
  LIVE,
  NARROW_COLUMNS,
  orderOf,
} from "./record-query.ts";
import type { IndexMark } from "./storage/index-marks.ts";
import { Database, type Row, type Sql } from "./storage/sqlite.ts";
import { recordOf, rowOf, STORED_COLUMNS, textOf } from "./stored-item.ts";

export interface LocalRecordStoreOptions {
  /** Path of the database file; created if missing. */
  file: string;
  clock: Clock;
  /** Readers of the change feed; changes of kinds without a subscriber are not stored. */
  streams: StreamSubscription[];
  /** Logs the migrations of an existing file. */
  logger?: Logger;
  /** The disk reserve that a start on a full disk releases. */
  reserve?: Pick<DiskReserve, "isReleased">;
}

/** Maximum size of the decoded records in memory, in characters of their stored form. */
const CACHE_SIZE = 12_000_000;
/** A write changes a little of some twenty pages, and each is written as a whole. */
const PAGE_BYTES = 2_048;
const PURGE_BATCH = 500;
const FILL_BATCH = 500;

/** A record that exists only within a transaction. */
const PROBE = { pk: "ping", sk: "ping", kind: "ping" };

/** Organization of the mark that exists once the indexes of all organizations have been compared with the records. */
const ANY = "";

const UPSERT = `
  INSERT INTO records (${COLUMNS.join(", ")}, item) VALUES (${COLUMNS.map(() => "?").join(", ")}, ?)
  ON CONFLICT (pk, sk) DO UPDATE SET
    ${COLUMNS.slice(2)
      .map((column) => `${column} = excluded.${column}`)
      .join(", ")}, item = excluded.item`;

const STORED = STORED_COLUMNS.join(", ");

const LIST = `SELECT ${STORED}, ${LIVE} AS live FROM records WHERE (pk, sk) > (?, ?) ORDER BY pk, sk LIMIT ?`;

/** The row that a write finds under a key. An expired row still exists but counts as absent. */
interface Found {
  row: Row;
  kind: Json | undefined;
  isLive: boolean;
  holds: boolean;
}

/** `RecordStore` on one SQLite file of one process, with a change feed in place of DynamoDB's stream. */
export class LocalRecordStore implements RecordStore, RecordInventory {
  readonly #file: string;
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #feed: ChangeFeed;
  /** The records that were read last by their keys, frozen, because their readers share them. */
  readonly #cache = new LRUCache<string, StoredRecord>({ maxSize: CACHE_SIZE, maxEntrySize: CACHE_SIZE / 20 });
  readonly #reserve: LocalRecordStoreOptions["reserve"];
  #snapshots = 0;

  constructor({ file, clock, streams, logger, reserve }: LocalRecordStoreOptions) {
    this.#reserve = reserve;
    this.#file = file;
    this.#database = new Database({ file, migrations: RECORD_MIGRATIONS, logger, pageBytes: PAGE_BYTES });
    this.#clock = clock;
    this.#feed = new ChangeFeed(this.#database, clock, streams);
  }

  async get(key: RecordKey): Promise<StoredRecord | undefined> {
    const identity = identityOf(key);
    const record = this.#cache.get(identity) ?? this.#read(key, identity);
    return record === undefined || isExpired(record, this.#now()) ? undefined : record;
  }

  #read({ pk, sk }: RecordKey, identity: string): StoredRecord | undefined {
    const row = this.#database.get(`SELECT ${STORED} FROM records WHERE pk = ? AND sk = ?`, pk, sk);
    if (row === undefined) return undefined;
    const record = deepFrozen(recordOf(row));
    this.#cache.set(identity, record, { size: String(row.item).length + identity.length });
    return record;
  }

  async getMany(keys: RecordKey[]): Promise<StoredRecord[]> {
    const distinct = new Map(keys.map((key) => [identityOf(key), key]));
    const records = await Promise.all([...distinct.values()].map((key) => this.get(key)));
    return records.filter((record) => record !== undefined);
  }

  async query(query: RecordQuery): Promise<RecordPage> {
    requireQueryLimit(query);
    const { limit, offset = 0 } = query;
    const isNarrow = query.index === "gsi3";
    const columns = isNarrow ? NARROW_COLUMNS : STORED_COLUMNS;
    const selection = compileSelection(query, this.#now());
    const sql = `SELECT ${columns.join(", ")} ${selection.text} ORDER BY ${orderOf(query)} LIMIT ? OFFSET ?`;
    const rows = this.#database.all(sql, ...selection.values, limit + 1, offset);
    const shown = rows.slice(0, limit);
    const items = shown.map(isNarrow ? toNarrowRecord : recordOf);
    const last = shown.at(-1);
    return rows.length > limit && last !== undefined ? { items, cursor: cursorAt(query, last) } : { items };
  }

  cursorAt(query: Pick<RecordQuery, "index" | "pk">, keys: RecordPosition): string {
    return cursorAfter(query, keys);
  }

  async count(query: Omit<RecordQuery, "limit" | "after" | "offset" | "descending">, upTo: number): Promise<number> {
    const selection = compileSelection(query, this.#now());
    const sql = `SELECT count(*) AS matches FROM (SELECT 1 ${selection.text} LIMIT ?)`;
    const row = this.#database.get(sql, ...selection.values, upTo);
    return Number(row?.matches);
  }

  async write(...writes: Write[]): Promise<void> {
    requireSoundWrites(writes);
    const newest = await this.#database.sharedTransaction(() => {
      const changes = writes.map((write, index) => this.#perform(write, index));
      return this.#feed.append(changes.filter((change) => change !== undefined));
    });
    markWritten();
    this.#feed.notify(newest);
  }

  async list({ kinds, limit, after }: InventoryRequest): Promise<RecordPage> {
    requireQueryLimit({ limit });
    const [pk, sk] = after === undefined ? ["", ""] : fromCursor<string[]>(after);
    const rows = this.#database.all(LIST, this.#now(), pk ?? "", sk ?? "", limit);
    const shown = rows.filter(({ kind, live }) => live === 1 && (kinds === undefined || kinds.includes(String(kind))));
    const last = rows.length < limit ? undefined : rows.at(-1);
    const cursor = last && toCursor([last.pk, last.sk]);
    return { items: shown.map(recordOf), ...(cursor !== undefined && { cursor }) };
  }

  snapshot(): RecordSnapshot {
    return { consistency: "moment", pages: this.#readSnapshot() };
  }

  async requestSnapshot(): Promise<RecordSnapshot> {
    return this.snapshot();
  }

  async discardSnapshot(): Promise<void> {}

  /** A snapshot has its own connection while it is read. */
  async *#readSnapshot(): AsyncGenerator<StoredRecord[]> {
    this.#snapshots++;
    try {
      yield* snapshotOf(this.#file);
    } finally {
      this.#snapshots--;
    }
  }

  async fill(records: StoredRecord[]): Promise<void> {
    for (const batch of inBatches(upgradeItems(records), FILL_BATCH)) {
      this.#database.transaction(() => {
        for (const record of batch) this.#store(record);
      });
      await nextTurn();
    }
  }

  /** All items are upgraded when the file is opened. */
  async upgrade(): Promise<UpgradePage> {
    return { checked: 0, upgraded: 0 };
  }

  connections(): ConnectionUse {
    const isBusy = this.#database.isBusy;
    return { active: (isBusy ? 1 : 0) + this.#snapshots, idle: isBusy ? 0 : 1 };
  }

  /** Whether a start on a full disk released the reserve and it could not be restored yet. */
  get isShortOfRoom(): boolean {
    return this.#reserve?.isReleased ?? false;
  }

  async scrub(): Promise<boolean> {
    this.deleteAcknowledged();
    return this.#database.scrub();
  }

  async ping(): Promise<void> {
    if (this.isShortOfRoom) throw new OutOfSpaceError();
    this.#database.lightTransaction(() => {
      this.#store(PROBE);
      this.#remove(PROBE);
    });
  }

  /** The changes of one of the `streams` of this store. */
  changesFor(name: string): ChangeReader {
    return this.#feed.reader(name);
  }

  /** Sequence of the newest change. */
  sequence(): number {
    return this.#feed.sequence;
  }

  /** The marks of search indexes that acknowledged changes; undefined before `replaceIndexMarks`. */
  indexMarks(): IndexMark[] | undefined {
    const rows = this.#database.all("SELECT org, file, commits FROM index_marks");
    const marks = rows.map(({ org, file, commits }) => {
      return { org: String(org), file: String(file), commits: Number(commits) };
    });
    return marks.some(({ org }) => org === ANY) ? marks.filter(({ org }) => org !== ANY) : undefined;
  }

  /** Replaces all marks by those of indexes that match the records. */
  replaceIndexMarks(marks: IndexMark[]): void {
    this.#database.transaction(() => {
      this.#database.run("DELETE FROM index_marks");
      this.#feed.storeMarks([{ org: ANY, file: "", commits: 0 }, ...marks]);
    });
  }

  /** From now on each acknowledgement is stored with the marks of the indexes that processed the changes. */
  followIndexes(takeMarks: () => IndexMark[]): void {
    this.#feed.followIndexes(takeMarks);
  }

  /** Deletes expired records in batches that yield to other work; returns their number. */
  async purgeExpired(): Promise<number> {
    for (let purged = 0; ; await nextTurn()) {
      const batch = this.#purgeBatch();
      purged += batch;
      if (batch < PURGE_BATCH) return purged;
    }
  }

  /** Delivers changes again that an index has lost although they were acknowledged. */
  redeliver(): void {
    this.#feed.redeliver();
  }

  /** Deletes acknowledged changes, which otherwise waits for a later write, and stores the marks of their indexes. */
  deleteAcknowledged(): void {
    this.#database.transaction(() => this.#feed.deleteAcknowledged());
    this.#feed.confirmDeletion();
  }

  close(): void {
    try {
      this.deleteAcknowledged();
    } finally {
      this.#database.close();
    }
  }

  #now(): number {
    return this.#clock() / 1000;
  }

  /** Performs one write of a transaction; returns its change, if any. Throws to roll back the transaction. */
  #perform(write: Write, index: number): PendingChange | undefined {
    const key = keyOf(write);
    const found = this.#find(key, write.condition);
    if (!passes(write.condition, found))
      throw new ConditionFailedError(index, found?.isLive ? recordOf(found.row) : undefined);
    if ("check" in write) return undefined;
    const next = outcomeOf(write, found);
    const after = next === undefined ? this.#remove(key) : this.#store(next);
    return { key, kinds: [found?.kind, next?.kind], before: found && textOf(found.row), after };
  }

  #find({ pk, sk }: RecordKey, condition: Condition | undefined): Found | undefined {
    const tests: Sql = typeof condition === "object" ? compileWhere(condition) : { text: "TRUE", values: [] };
    const sql = `SELECT ${STORED}, ${LIVE} AS live, (${tests.text}) AS holds FROM records WHERE pk = ? AND sk = ?`;
    const row = this.#database.get(sql, this.#now(), ...tests.values, pk, sk);
    if (row === undefined) return undefined;
    return { row, kind: fromColumn(row.kind), isLive: row.live === 1, holds: row.holds === 1 };
  }

  #store(record: StoredRecord): string {
    refuseBadKeys(record);
    if (itemSize(record) > MAX_ITEM_BYTES) throw new RecordTooLargeError();
    this.#cache.delete(identityOf(record));
    const row = rowOf(record, COLUMNS);
    this.#database.run(UPSERT, ...row);
    return textOf({ ...record, item: row.at(-1) });
  }

  #remove({ pk, sk }: RecordKey): undefined {
    this.#cache.delete(identityOf({ pk, sk }));
    this.#database.run("DELETE FROM records WHERE pk = ? AND sk = ?", pk, sk);
  }

  #purgeBatch(): number {
    const rows = this.#database.all(`SELECT ${STORED} FROM records WHERE ttl <= ? LIMIT ?`, this.#now(), PURGE_BATCH);
    if (rows.length === 0) return 0;
    const newest = this.#database.transaction(() => {
      const changes = rows.map((row): PendingChange => {
        const { pk, sk, kind } = recordOf(row);
        return { key: { pk, sk }, kinds: [kind], before: textOf(row), after: this.#remove({ pk, sk }) };
      });
      return this.#feed.append(changes);
    });
    this.#feed.notify(newest);
    return rows.length;
  }
}

function passes(condition: Condition | undefined, found: Found | undefined): boolean {
  const isLive = found?.isLive === true;
  if (condition === undefined) return true;
  if (condition === "absent") return !isLive;
  if (condition === "present") return isLive;
  if (isLive) return found.holds;
  return allowsAbsentItem(condition);
}

/** The record after a write; undefined if the write deletes it. */
function outcomeOf(write: Exclude<Write, { check: RecordKey }>, found: Found | undefined): StoredRecord | undefined {
  if ("put" in write) return write.put;
  if ("delete" in write) return undefined;
  const { pk, sk } = write.update;
  // An absent record begins with its key; the update sets its `kind`.
  return updated(found?.isLive ? recordOf(found.row) : ({ pk, sk } as StoredRecord), write);
}

function updated(record: StoredRecord, write: Extract<Write, { update: RecordKey }>): StoredRecord {
  const { set = {}, add = {}, remove = [] } = write;
  const touched = [...Object.keys(set), ...Object.keys(add), ...remove];
  if (touched.includes("pk") || touched.includes("sk")) throw new TypeError("an update cannot change a record's key");
  const next: StoredRecord = { ...record, ...set };
  for (const [name, amount] of Object.entries(add)) {
    const current = next[name] === undefined ? 0 : next[name];
    if (typeof current !== "number") throw new TypeError(`'${name}' is not a number to add to`);
    next[name] = current + amount;
  }
  for (const name of remove) delete next[name];
  return next;
}

/** DynamoDB refuses these too; SQLite would accept them and sort the record wrongly. */
function refuseBadKeys(record: StoredRecord): void {
  for (const name of ["pk", "sk", "gsi1pk", "gsi1sk", "gsi2pk", "gsi2sk", "gsi3pk", "gsi3sk"]) {
    const value = record[name];
    const isAllowed = value === undefined ? name !== "pk" && name !== "sk" : typeof value === "string" && value !== "";
    if (!isAllowed) throw new TypeError(`the key '${name}' of a record must be a string that is not empty`);
  }
  if (record.ttl !== undefined && typeof record.ttl !== "number") throw new TypeError("'ttl' must be a number");
}

/** The opposite of LIVE. */
function isExpired({ ttl }: StoredRecord, now: number): boolean {
  return typeof ttl === "number" && ttl <= now;
}

/** gsi3's columns include every attribute that all records have. */
function toNarrowRecord(row: Record<string, SQLOutputValue>): StoredRecord {
  const attributes = Object.entries(row).map(([name, column]) => [name, fromColumn(column)] as const);
  return Object.fromEntries(attributes.filter(([, value]) => value !== undefined)) as StoredRecord;
}

const PAGE = 500;

/**
 * All records of a database file as of the first page: a separate connection in one read transaction, which blocks no
 * writer. The write-ahead log keeps concurrent writes until it ends.
 */
async function* snapshotOf(file: string): AsyncGenerator<StoredRecord[]> {
  const connection = new DatabaseSync(file, { readOnly: true });
  try {
    connection.exec("BEGIN");
    const next = connection.prepare(`SELECT ${STORED} FROM records WHERE (pk, sk) > (?, ?) ORDER BY pk, sk LIMIT ?`);
    let last = { pk: "", sk: "" };
    while (true) {
      const rows = next.all(last.pk, last.sk, PAGE);
      if (rows.length > 0) yield rows.map(recordOf);
      const end = rows.at(-1);
      if (end === undefined || rows.length < PAGE) return;
      last = { pk: String(end.pk), sk: String(end.sk) };
    }
  } finally {
    connection.close();
  }
}
