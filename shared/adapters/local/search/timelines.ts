import { LRUCache } from "lru-cache";
import type { Database } from "../storage/sqlite.ts";

/** Maximum length of a session that is kept, and of all sessions of all indexes together. */
const MAX_LENGTH = 500;
const CAPACITY = 100_000;
/** Size of a session besides its documents. */
const OVERHEAD = 10;
/** Maximum number of written documents whose sessions are looked up later. */
const MAX_WRITTEN = 1_000;

/** A document of a session. */
export interface Moment {
  doc: number;
  id: string;
  /** When it happened, in epoch milliseconds. */
  at: number;
}

/** A user and a session; null for none. */
type Session = [user: string | null, session: string | null];

interface Kept {
  /** Undefined if the session is too long. */
  moments: Moment[] | undefined;
  /** The key of each kept document's session, of the same index. */
  sessions: Map<number, string>;
}

/** The sessions of all organizations that were read last. */
export class TimelineCache {
  readonly #kept: LRUCache<string, Kept>;
  #indexes = 0;

  constructor(capacity = CAPACITY) {
    const dispose = ({ moments = [], sessions }: Kept) => {
      for (const { doc } of moments) sessions.delete(doc);
    };
    this.#kept = new LRUCache({ maxSize: capacity, dispose });
  }

  /** Returns the part of one index, which nobody else uses. */
  partOf(database: Database): Timelines {
    return new Timelines(database, this.#kept, this.#indexes++);
  }
}

/** The documents of sessions of one index, expired or not, in the order of time. */
export class Timelines {
  readonly #database: Database;
  readonly #kept: LRUCache<string, Kept>;
  readonly #index: number;
  readonly #sessions = new Map<number, string>();
  /** Documents that were written since the last reading. */
  readonly #written = new Set<number>();

  constructor(database: Database, kept: LRUCache<string, Kept>, index: number) {
    this.#database = database;
    this.#kept = kept;
    this.#index = index;
  }

  /** The documents of a session by time, then id; undefined if it is too long. */
  of(session: Session): Moment[] | undefined {
    this.#forgetWritten();
    const key = this.#keyOf(session);
    const { moments } = this.#kept.get(key) ?? this.#read(key, session);
    return moments;
  }

  /** To be called after each write of the documents. */
  forget(docs: number[]): void {
    for (const doc of docs) this.#written.add(doc);
    if (this.#written.size > MAX_WRITTEN) this.#forgetWritten();
  }

  #keyOf(session: unknown[]): string {
    return JSON.stringify([this.#index, ...session]);
  }

  #read(key: string, [user, session]: Session): Pick<Kept, "moments"> {
    const rows = this.#database.tuples(SELECT_SESSION, user, session, MAX_LENGTH + 1);
    const all = rows.map(([doc, id, at]) => ({ doc: Number(doc), id: String(id), at: Number(at) }));
    const moments = all.length > MAX_LENGTH ? undefined : all;
    this.#kept.set(key, { moments, sessions: this.#sessions }, { size: OVERHEAD + (moments?.length ?? 0) });
    for (const { doc } of moments ?? []) this.#sessions.set(doc, key);
    return { moments };
  }

  /** Forgets the sessions in which the written documents were, and those in which they are now. */
  #forgetWritten(): void {
    if (this.#written.size === 0) return;
    const now = this.#database.tuples(SESSIONS_OF, JSON.stringify([...this.#written]));
    const before = [...this.#written].flatMap((doc) => this.#sessions.get(doc) ?? []);
    for (const key of [...before, ...now.map((session) => this.#keyOf(session))]) this.#kept.delete(key);
    this.#written.clear();
  }
}

const SELECT_SESSION = `
  SELECT doc, id, occurred_ms FROM documents WHERE user_id IS ? AND session_id IS ? ORDER BY occurred_ms, id LIMIT ?`;

const SESSIONS_OF = `
  SELECT DISTINCT user_id, session_id FROM documents WHERE doc IN (SELECT value FROM json_each(?))`;
