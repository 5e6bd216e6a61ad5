import { LRUCache } from "lru-cache";
import { queryAll } from "../../ports/pages.ts";
import type {
  RecordKey,
  RecordPage,
  RecordPosition,
  RecordQuery,
  RecordStore,
  StoredRecord,
} from "../../ports/record-store.ts";
import type { HasPorts } from "../../runtime/context.ts";
import { archiveContent, ContentMissingError, contentKey, loadContent } from "../memory/content.ts";
import type { Session } from "./session.ts";

/** Where messages are read from: the records, or their archive. */
export type MessageRecords = Pick<RecordStore, "query" | "count" | "getMany" | "cursorAt">;

/** Identifies a session. */
export type SessionName = Pick<Session, "org" | "id">;

/** Messages per blob, so that a page of a long session is read without the rest. */
export const MESSAGES_PER_BLOB = 200;
const DIGITS = 9;
/** Maximum number of blobs that a reader caches, because pages and probes often need the same ones. */
const MAX_CACHED = 4;

/** Sort key of the message at a position; sorts by position. */
export const messageSortKey = (position: number): string => `message#${padded(position)}`;

const positionOf = (sk: string): number => Number(sk.slice(-DIGITS));

/** Key prefix of a session's archive. */
export function archivePrefix({ org, id }: SessionName): string {
  return `sessions/${org}/${id}/`;
}

/**
 * Key of the blob with the messages from `blob * MESSAGES_PER_BLOB + 1` to `last`. The key of a partial blob contains
 * its last message, so that a late writer cannot replace a blob by one with fewer messages.
 */
function archiveKey(session: SessionName, blob: number, last: number): string {
  const whole = `${archivePrefix(session)}${padded(blob)}`;
  return last % MESSAGES_PER_BLOB === 0 ? whole : `${whole}-${padded(last)}`;
}

/**
 * Returns the position of a partial blob's last message by its key; undefined for full blobs and earlier releases'
 * blobs.
 */
export function lastMessageOf(key: string): number | undefined {
  const last = /-(\d+)$/.exec(key.slice(key.lastIndexOf("/")))?.[1];
  return last === undefined ? undefined : Number(last);
}

/** Returns the number with leading zeros, so that numbers sort as text. */
export function padded(number: number): string {
  return String(number).padStart(DIGITS, "0");
}

/**
 * Returns the key of a long message's content. It contains the session's id, so that the session can be derived from
 * it.
 */
export function messageContentKey({ org, id }: SessionName, message: string, content: string): string {
  return contentKey({ org, id: `${id}/${message}` }, content);
}

/** Stores the records of one blob's messages, one line each, optionally gzipped. Repeating it changes nothing. */
export async function putArchived(
  owner: HasPorts,
  session: SessionName,
  blob: number,
  messages: StoredRecord[],
  packed: boolean,
): Promise<void> {
  const lines = messages.map((record) => JSON.stringify(record)).join("\n");
  await archiveContent(owner, archiveKey(session, blob, blob * MESSAGES_PER_BLOB + messages.length), lines, packed);
}

/** Returns the messages of one blob up to `last`. Throws ContentMissingError if the session was deleted. */
async function readArchived(owner: HasPorts, session: SessionName, blob: number, last: number) {
  const key = archiveKey(session, blob, last);
  const records = await readArchive(owner, key).catch((error) => {
    // The blob is full by now, or an earlier release stored it without the last message in its key.
    if (error instanceof ContentMissingError) return readArchive(owner, archiveKey(session, blob, 0));
    throw error;
  });
  const wanted = records.filter(({ sk }) => positionOf(sk) <= last);
  if (wanted.length !== last - blob * MESSAGES_PER_BLOB) throw new ContentMissingError(key);
  return wanted;
}

/** Returns all messages of one blob. Throws ContentMissingError if it does not exist. */
export async function readArchive(owner: HasPorts, key: string): Promise<StoredRecord[]> {
  const lines = await loadContent(owner, { content_blob: key });
  return lines.split("\n").map((line): StoredRecord => JSON.parse(line));
}

/** The message records of a session; those up to `archived_messages` are in the blob store. */
export class ArchivedMessages implements MessageRecords {
  readonly #owner: HasPorts;
  readonly #session: Session;
  readonly #cache = new LRUCache<number, StoredRecord[]>({
    max: MAX_CACHED,
    fetchMethod: (blob) => this.#loadBoth(blob),
  });

  constructor(owner: HasPorts, session: Session) {
    this.#owner = owner;
    this.#session = session;
  }

  async query({ sk, where, descending = false, offset = 0, limit, after }: RecordQuery): Promise<RecordPage> {
    const items: StoredRecord[] = [];
    let skipped = 0;
    for await (const record of this.#walk(sk, descending, after)) {
      if (!matches(record, where)) continue;
      if (skipped++ < offset) continue;
      items.push(record);
      if (items.length === limit) return { items, cursor: record.sk };
    }
    return { items };
  }

  cursorAt(_query: unknown, { sk }: RecordPosition): string {
    return sk;
  }

  async count({ sk, where }: Parameters<RecordStore["count"]>[0], upTo: number): Promise<number> {
    let count = 0;
    for await (const record of this.#walk(sk, false)) {
      if (matches(record, where)) count++;
      if (count === upTo) break;
    }
    return count;
  }

  async getMany(keys: RecordKey[]): Promise<StoredRecord[]> {
    const wanted = new Set(keys.map(({ sk }) => sk));
    const blobs = new Set(keys.map(({ sk }) => blobOf(positionOf(sk))));
    const found: StoredRecord[] = [];
    for (const blob of blobs) found.push(...(await this.#load(blob)).filter(({ sk }) => wanted.has(sk)));
    return found;
  }

  /** Yields the range's messages in either direction; with `after`, those that follow this message. */
  async *#walk(sk: RecordQuery["sk"], descending: boolean, after?: string): AsyncGenerator<StoredRecord, void> {
    const { atLeast = messageSortKey(1), atMost = messageSortKey(this.#session.message_count) } = asRange(sk);
    const first = after !== undefined && !descending ? positionOf(after) + 1 : positionOf(atLeast);
    const last = after !== undefined && descending ? positionOf(after) - 1 : positionOf(atMost);
    if (first > last) return;
    const [from, to] = [blobOf(first), blobOf(last)];
    for (let step = 0; step <= to - from; step++) {
      const records = await this.#load(descending ? to - step : from + step);
      const within = records.filter((record) => positionOf(record.sk) >= first && positionOf(record.sk) <= last);
      yield* descending ? within.reverse() : within;
    }
  }

  /** Returns the messages of one blob, from the records if they have not been moved to the blob store. */
  async #load(blob: number): Promise<StoredRecord[]> {
    return (await this.#cache.fetch(blob)) ?? [];
  }

  /** Reads a blob's archived messages and those in the records: messages added after a restore may complete a blob. */
  async #loadBoth(blob: number): Promise<StoredRecord[]> {
    const before = blob * MESSAGES_PER_BLOB;
    const end = Math.min(before + MESSAGES_PER_BLOB, this.#session.message_count);
    const archived = Math.max(before, Math.min(end, this.#session.archived_messages ?? 0));
    const [earlier, later] = await Promise.all([
      archived > before ? readArchived(this.#owner, this.#session, blob, archived) : [],
      archived < end ? this.#loadRecords(archived + 1, end) : [],
    ]);
    return [...earlier, ...later];
  }

  #loadRecords(from: number, to: number): Promise<StoredRecord[]> {
    const { org, id } = this.#session;
    const [atLeast, atMost] = [messageSortKey(from), messageSortKey(to)];
    const query = { pk: `${org}#${id}`, sk: { atLeast, atMost }, limit: MESSAGES_PER_BLOB };
    return queryAll(this.#owner.ports.records, query);
  }
}

function blobOf(position: number): number {
  return Math.floor((position - 1) / MESSAGES_PER_BLOB);
}

/** Returns the requested range of sort keys; an empty object for all messages. */
function asRange(sk: RecordQuery["sk"]): { atLeast?: string; atMost?: string } {
  return sk !== undefined && "beginsWith" in sk ? {} : (sk ?? {});
}

/** Whether the record matches the filter; message filters only test equality. */
function matches(record: StoredRecord, where: RecordQuery["where"] = {}): boolean {
  return Object.entries(where).every(([attribute, value]) => record[attribute] === value);
}
