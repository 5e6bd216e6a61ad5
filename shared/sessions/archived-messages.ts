import { archiveContent, contentKey, loadContent } from "../memory/content.ts";
import type { OrgHome } from "../platform/context.ts";
import { queryPages } from "../platform/pages.ts";
import type { RecordKey, RecordPage, RecordQuery, RecordStore, StoredRecord } from "../platform/ports.ts";
import type { Session } from "./session.ts";

/** What messages are read from: the records, or what takes their place once they are archived. */
export type MessageRecords = Pick<RecordStore, "query" | "count" | "getMany">;

type Ports = Pick<OrgHome, "ports">;
type SessionName = Pick<Session, "org" | "id">;

/** Messages of one blob, so that a page of a long session is read without the rest of it. */
export const MESSAGES_A_BLOB = 200;
const DIGITS = 9;
/** Blobs that one reader remembers: pages and probes come back to the same ones. */
const MAX_REMEMBERED = 4;

/** Sort key of the message at a position; in the order of positions. */
export const messagePlace = (position: number): string => `message#${String(position).padStart(DIGITS, "0")}`;

const positionOf = (place: string): number => Number(place.slice(-DIGITS));

/** Key of the blob with the messages `blob * MESSAGES_A_BLOB + 1` and on. */
export function archiveKey({ org, id }: SessionName, blob: number): string {
  return `sessions/${org}/${id}/${String(blob).padStart(DIGITS, "0")}`;
}

/** Where a long message keeps its content: below its session, as whoever finds the blob must find the session. */
export function messageContentKey({ org, id }: SessionName, message: string, content: string): string {
  return contentKey({ org, id: `${id}/${message}` }, content);
}

/** How many blobs hold so many messages. */
export function blobsFor(messages: number): number {
  return Math.ceil(messages / MESSAGES_A_BLOB);
}

/** Puts the records of one blob's messages there, a line each; `packed` by gzip. Repeating it changes nothing. */
export async function putArchived(
  owner: Ports,
  session: SessionName,
  blob: number,
  messages: StoredRecord[],
  packed: boolean,
): Promise<void> {
  const lines = messages.map((record) => JSON.stringify(record)).join("\n");
  await archiveContent(owner, archiveKey(session, blob), lines, packed);
}

/** Throws ContentMissing once the session is gone. */
export async function readArchived(owner: Ports, session: SessionName, blob: number): Promise<StoredRecord[]> {
  const lines = await loadContent(owner, { content_blob: archiveKey(session, blob) });
  return lines.split("\n").map(asRecord);
}

/** The lines were written by `putArchived` alone. */
function asRecord(line: string): StoredRecord {
  return JSON.parse(line) as StoredRecord;
}

/** The message records of a session, of which those up to `archived_messages` are in the blob store. */
export class ArchivedMessages implements MessageRecords {
  readonly #owner: Ports;
  readonly #session: Session;
  readonly #known = new Map<number, Promise<StoredRecord[]>>();

  constructor(owner: Ports, session: Session) {
    this.#owner = owner;
    this.#session = session;
  }

  async query({ sk, where, descending = false, offset = 0, limit, after }: RecordQuery): Promise<RecordPage> {
    const items: StoredRecord[] = [];
    let skipped = 0;
    for await (const record of this.#walk(sk, descending, after)) {
      if (!holds(record, where)) continue;
      if (skipped++ < offset) continue;
      items.push(record);
      if (items.length === limit) return { items, cursor: record.sk };
    }
    return { items };
  }

  async count({ sk, where }: Parameters<RecordStore["count"]>[0], upTo: number): Promise<number> {
    let count = 0;
    for await (const record of this.#walk(sk, false)) {
      if (holds(record, where)) count++;
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

  /** From one end of the range to the other, or from behind the message that `after` names. */
  async *#walk(sk: RecordQuery["sk"], descending: boolean, after?: string): AsyncGenerator<StoredRecord, void> {
    const { atLeast = messagePlace(1), atMost = messagePlace(this.#session.message_count) } = asRange(sk);
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

  /** The messages of one blob, from the records where they have not been moved yet. */
  #load(blob: number): Promise<StoredRecord[]> {
    const known = this.#known.get(blob);
    if (known) return known;
    if (this.#known.size >= MAX_REMEMBERED) this.#known.clear();
    const loading = this.#isArchived(blob) ? readArchived(this.#owner, this.#session, blob) : this.#loadRecords(blob);
    this.#known.set(blob, loading);
    return loading;
  }

  #isArchived(blob: number): boolean {
    const { archived_messages = 0, message_count } = this.#session;
    return Math.min((blob + 1) * MESSAGES_A_BLOB, message_count) <= archived_messages;
  }

  async #loadRecords(blob: number): Promise<StoredRecord[]> {
    const { org, id } = this.#session;
    const [atLeast, atMost] = [blob * MESSAGES_A_BLOB + 1, (blob + 1) * MESSAGES_A_BLOB].map(messagePlace);
    const query = { pk: `${org}#${id}`, sk: { atLeast, atMost }, limit: MESSAGES_A_BLOB };
    const records: StoredRecord[] = [];
    for await (const items of queryPages(this.#owner.ports.records, query)) records.push(...items);
    return records;
  }
}

function blobOf(position: number): number {
  return Math.floor((position - 1) / MESSAGES_A_BLOB);
}

/** Messages are asked for by a range of positions, or all of them. */
function asRange(sk: RecordQuery["sk"]): { atLeast?: string; atMost?: string } {
  return sk !== undefined && "beginsWith" in sk ? {} : (sk ?? {});
}

/** Messages are filtered by what equals a value, and by nothing else. */
function holds(record: StoredRecord, where: RecordQuery["where"] = {}): boolean {
  return Object.entries(where).every(([attribute, value]) => record[attribute] === value);
}
