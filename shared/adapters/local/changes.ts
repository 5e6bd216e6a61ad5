import type { Clock } from "../../kernel/clock.ts";
import type { RecordChange } from "../../ports/changes.ts";
import type { RecordKey, StoredRecord } from "../../ports/record-store.ts";
import { FIRST_VERSION, upgradeItem } from "../../runtime/upgrades/item-upgrade.ts";
import type { IndexMark } from "./storage/index-marks.ts";
import type { Database } from "./storage/sqlite.ts";

/** A change as stored in the feed. */
export interface StoredChange extends Omit<RecordChange, "sequence"> {
  /** Grows with every change and is never reused. */
  sequence: number;
  /** Commit time in epoch milliseconds. */
  at: number;
}

/** A reader of changes and the record kinds it subscribes to. The name identifies the reader across restarts. */
export interface StreamSubscription {
  name: string;
  kinds: string[];
}

/** A subscriber's changes, oldest first and so in order per record; each is kept until it is acknowledged. */
export interface ChangeReader {
  /** The oldest unacknowledged changes, at most `limit`, fewer if they are long. */
  read(limit: number): StoredChange[];
  /** Acknowledges all changes up to and including that sequence. */
  acknowledge(sequence: number): void;
  /** Sequence of the newest change; 0 if there is none. */
  latest(): number;
  /** Calls `listener` after each commit with a change for this reader until the returned function is called. */
  onChange(listener: () => void): () => void;
}

/** The change of a write as stored: the JSON of the record before and after. */
export interface PendingChange {
  key: RecordKey;
  /** Kind of the record before and after; a subscription to either receives the change. */
  kinds: unknown[];
  before: string | undefined;
  after: string | undefined;
}

/** Minimum milliseconds between two deletions of acknowledged changes, each of which commits the indexes first. */
const DELETE_EVERY_MS = 1_000;
/** Maximum characters of the records in one batch, before and after. */
const MAX_READ_CHARACTERS = 256 * 1024;

/**
 * The change feed: each change is stored once per subscribed reader in the transaction that makes it, so readers do not
 * block each other and an acknowledgement is a deletion. The deletion waits for a write a second later and needs no
 * commit of its own; after a crash, the last acknowledged changes are delivered again.
 */
export class ChangeFeed {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #subscriptions: StreamSubscription[];
  readonly #latest = new Map<string, number>();
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #acknowledged = new Map<string, number>();
  /** Readers whose acknowledged changes are not deleted yet. */
  readonly #undeleted = new Set<string>();
  /** Marks that are taken from the indexes, and not committed yet. */
  readonly #marks = new Map<string, IndexMark>();
  /** The last deletion: up to which change of each reader, and the result of `append` that contains it. */
  #deletion: { upTo: Map<string, number>; within?: Map<string, number> } | undefined;
  #deletedAt = Number.NEGATIVE_INFINITY;
  /** Counts the calls of `redeliver`: an acknowledgement of what was read before one is void. */
  #redeliveries = 0;
  #sequence: number;
  #takeMarks: () => IndexMark[] = () => [];

  /** Deletes changes for readers that are no longer subscribed. */
  constructor(database: Database, clock: Clock, subscriptions: StreamSubscription[]) {
    this.#database = database;
    this.#clock = clock;
    this.#subscriptions = subscriptions;
    this.#sequence = Number(database.get("SELECT seq FROM sqlite_sequence WHERE name = 'changes'")?.seq ?? 0);
    const names = subscriptions.map(({ name }) => name);
    database.run("DELETE FROM changes WHERE reader NOT IN (SELECT value FROM json_each(?))", JSON.stringify(names));
    for (const name of names) {
      const row = database.get("SELECT max(sequence) AS latest FROM changes WHERE reader = ?", name);
      this.#latest.set(name, Number(row?.latest ?? 0));
      this.#listeners.set(name, new Set());
    }
  }

  /** Stores changes for their subscribers, in the caller's transaction; returns the newest sequences for `notify`. */
  append(changes: PendingChange[]): Map<string, number> {
    const newest = new Map<string, number>();
    if (performance.now() - this.#deletedAt >= DELETE_EVERY_MS) this.deleteAcknowledged(newest);
    const insert = this.#database.prepare(
      "INSERT INTO changes (reader, at, pk, sk, before, after) VALUES (?, ?, ?, ?, ?, ?)",
    );
    for (const { key, kinds, before, after } of changes) {
      if (before === after) continue;
      for (const { name, kinds: wanted } of this.#subscriptions) {
        if (!wanted.some((kind) => kinds.includes(kind))) continue;
        const { lastInsertRowid } = insert.run(name, this.#clock(), key.pk, key.sk, before ?? null, after ?? null);
        newest.set(name, Number(lastInsertRowid));
      }
    }
    return newest;
  }

  /**
   * Deletes acknowledged changes, in the caller's transaction, once their indexes are committed. Until
   * `confirmDeletion`, or `notify` with `within`, the transaction may be rolled back.
   */
  deleteAcknowledged(within?: Map<string, number>): void {
    if (this.#undeleted.size === 0) return;
    this.#deletedAt = performance.now();
    for (const mark of this.#takeMarks()) this.#marks.set(mark.org, mark);
    this.storeMarks([...this.#marks.values()]);
    // An index that could not be committed has voided the acknowledgements.
    const upTo = new Map([...this.#undeleted].map((name) => [name, this.#acknowledged.get(name) ?? 0]));
    for (const [name, sequence] of upTo) {
      this.#database.run("DELETE FROM changes WHERE reader = ? AND sequence <= ?", name, sequence);
    }
    this.#deletion = { upTo, ...(within && { within }) };
  }

  /** To be called after the commit of a deletion: one that was rolled back is repeated with the next, and its marks. */
  confirmDeletion(): void {
    for (const [name, sequence] of this.#deletion?.upTo ?? []) {
      if (this.#acknowledged.get(name) === sequence) this.#undeleted.delete(name);
    }
    this.#deletion = undefined;
    this.#marks.clear();
  }

  /** From now on acknowledged changes are deleted in one commit with the marks of their indexes. */
  followIndexes(takeMarks: () => IndexMark[]): void {
    this.#takeMarks = takeMarks;
  }

  /** Delivers all changes again that are not deleted yet. From now on none of them is deleted. */
  redeliver(): void {
    this.#redeliveries++;
    this.#acknowledged.clear();
    this.#undeleted.clear();
    setImmediate(() => {
      for (const listeners of this.#listeners.values()) for (const listener of listeners) listener();
    });
  }

  /** Stores marks in the caller's transaction. */
  storeMarks(marks: IndexMark[]): void {
    const store = this.#database.prepare("INSERT OR REPLACE INTO index_marks (org, file, commits) VALUES (?, ?, ?)");
    for (const { org, file, commits } of marks) store.run(org, file, commits);
  }

  /** Sequence of the newest change of any reader. */
  get sequence(): number {
    return this.#sequence;
  }

  /** Notifies the readers; to be called after the commit. */
  notify(newest: Map<string, number>): void {
    if (this.#deletion?.within === newest) this.confirmDeletion();
    for (const [name, sequence] of newest) {
      this.#latest.set(name, sequence);
      this.#sequence = Math.max(this.#sequence, sequence);
      for (const listener of this.#listeners.get(name) ?? []) listener();
    }
  }

  reader(name: string): ChangeReader {
    const listeners = this.#listeners.get(name);
    if (listeners === undefined) throw new Error(`the change feed has no reader '${name}'`);
    let readAt = this.#redeliveries;
    return {
      read: (limit) => {
        readAt = this.#redeliveries;
        const rows = this.#database
          .prepare("SELECT * FROM changes WHERE reader = ? AND sequence > ? ORDER BY sequence LIMIT ?")
          .iterate(name, this.#acknowledged.get(name) ?? 0, limit);
        return firstOf(rows).map(toChange);
      },
      acknowledge: (sequence) => {
        if (readAt !== this.#redeliveries) return;
        this.#acknowledged.set(name, sequence);
        this.#undeleted.add(name);
      },
      latest: () => this.#latest.get(name) ?? 0,
      onChange: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
  }
}

/** As many rows as a reader can process without blocking the event loop for long; at least one. */
function firstOf(rows: Iterable<Record<string, unknown>>): Record<string, unknown>[] {
  const taken: Record<string, unknown>[] = [];
  let characters = 0;
  for (const row of rows) {
    taken.push(row);
    characters += String(row.before ?? "").length + String(row.after ?? "").length;
    if (characters >= MAX_READ_CHARACTERS) break;
  }
  return taken;
}

function toChange(row: Record<string, unknown>): StoredChange {
  const change: StoredChange = {
    sequence: Number(row.sequence),
    at: Number(row.at),
    key: { pk: String(row.pk), sk: String(row.sk) },
  };
  if (row.before !== null) change.before = parsed(row.before);
  if (row.after !== null) change.after = parsed(row.after);
  return change;
}

/** The JSON may be of an earlier release, because it was not read yet. */
function parsed(text: unknown): StoredRecord {
  const record = JSON.parse(String(text)) as StoredRecord;
  return upgradeItem(record, FIRST_VERSION)?.record ?? record;
}
