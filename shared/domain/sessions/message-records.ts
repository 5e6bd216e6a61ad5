import { setImmediate as nextTurn } from "node:timers/promises";
import { occurredMs } from "../../kernel/event-time.ts";
import type { PageRequest } from "../../kernel/pagination.ts";
import { inBatches } from "../../kernel/parallel.ts";
import { indexTerms, queryKeywords } from "../../language/words/keywords.ts";
import { fromItem, toItem } from "../../ports/item.ts";
import { filterBy, type Listing, readPage } from "../../ports/listing.ts";
import { queryPages } from "../../ports/pages.ts";
import type { RecordKey, RecordQuery, StoredRecord, Write } from "../../ports/record-store.ts";
import type { HasPorts } from "../../runtime/context.ts";
import { ContentMissingError, loadContent, type StoredContent } from "../memory/content.ts";
import { ArchivedMessages, type MessageRecords, messageSortKey } from "./archived-messages.ts";
import { collectionOf, keyIn, movedTo, sessionKey } from "./records.ts";
import { scanPage, timeRangeOf } from "./scan-page.ts";
import { type MessageRole, occurredWith, type Session, type SessionMessage } from "./session.ts";

export const MESSAGE_KIND = "message";

const MAX_MESSAGES_PER_QUERY = 1000;
/** Messages searched at a time before yielding to other work. */
const SEARCHED_AT_ONCE = 50;
const MIN_MESSAGES_PER_QUERY = 16;

const messageKey = (org: string, id: string, position: number) => keyIn(org, id, messageSortKey(position));

/**
 * Returns the writes of a message and of its session's counters; refused if the session changed or got another message
 * since `before` was read. `message.position` must be the next one.
 */
export function appendMessage(before: Session, message: SessionMessage, stored: StoredContent): Write[] {
  const { org, id, message_count, version } = before;
  const { role, tokens, created_at } = message;
  return [
    {
      update: sessionKey(org, id),
      set: {
        ...movedTo({ ...before, updated_at: created_at }),
        ...occurredWith(before, message),
        last_role: role,
        last_message_at: created_at,
      },
      add: { message_count: 1, total_tokens: tokens, [`${role}_messages`]: 1 },
      condition: { message_count, version },
    },
    putMessage(message, stored),
  ];
}

/** Returns the write of the message alone, for a session whose counters already include it. */
export function putMessage({ content, ...message }: SessionMessage, stored: StoredContent): Write {
  const { org, session_id, position } = message;
  const item = toItem(messageKey(org, session_id, position), MESSAGE_KIND, { ...message, ...stored });
  return { put: item, condition: "absent" };
}

/** Returns the message of a table record or a change, with its content. */
export async function toMessage(owner: HasPorts, record: StoredRecord): Promise<SessionMessage> {
  const { content_blob, ...rest } = record;
  const content = await loadContent(owner, fromItem<StoredContent>(record));
  return fromItem<SessionMessage>({ ...rest, content });
}

function toMessages(owner: HasPorts, records: StoredRecord[]): Promise<SessionMessage[]> {
  return Promise.all(records.map((record) => toMessage(owner, record).catch((error) => lostMessage(record, error))));
}

/** Returns a message without its lost content, which must not break lists; throws other errors. */
function lostMessage({ content_blob, ...rest }: StoredRecord, error: unknown): SessionMessage {
  if (!(error instanceof ContentMissingError)) throw error;
  return fromItem<SessionMessage>({ ...rest, content: "", content_missing: true });
}

/** Returns the reader of a session's messages: the records, or with archived messages also the archive. */
function messageRecords(ctx: HasPorts, session: Session): MessageRecords {
  return (session.archived_messages ?? 0) === 0 ? ctx.ports.records : new ArchivedMessages(ctx, session);
}

/** A range of positions, both inclusive. */
export interface MessageRange {
  from?: number;
  to?: number;
}

function messagesIn({ org, id, message_count }: Session, { from = 1, to = message_count }: MessageRange) {
  return { pk: collectionOf(org, id), sk: { atLeast: messageSortKey(from), atMost: messageSortKey(to) } };
}

/** Filters of a session's messages: by role, creation time, event time (ISO 8601, inclusive), and keywords. */
export interface MessageFilter {
  role?: MessageRole;
  after?: string;
  occurred_after?: string;
  occurred_before?: string;
  q?: string;
}

/** Returns one page of matching messages in the order in which they were added. */
export async function listMessages(
  ctx: HasPorts,
  session: Session,
  filter: MessageFilter,
  page: PageRequest,
): Promise<Listing<SessionMessage>> {
  const { role, after, q } = filter;
  const records = messageRecords(ctx, session);
  const before = after === undefined ? 0 : await countUntil(records, session, after);
  const query = { ...messagesIn(session, { from: before + 1 }), where: filterBy({ role }) };
  const range = timeRangeOf(filter);
  if (range !== undefined || q !== undefined) {
    if (before >= session.message_count) return { items: [], total: 0, hasNext: false };
    const pages = queryPages(records, { ...query, limit: MAX_MESSAGES_PER_QUERY });
    const found = await scanPage(pages, matchingMessages(ctx, range, q), page);
    return { ...found, items: await toMessages(ctx, found.items) };
  }
  if (role === undefined) {
    // Positions have no gaps, so the offset determines the first position.
    const total = session.message_count - before;
    const from = before + page.offset + 1;
    const items = await takeMessages(ctx, session, { from, to: from + page.limit - 1 });
    return { items, total, hasNext: page.offset + page.limit < total };
  }
  const { items, ...rest } = await readPage(records, query, page);
  const total = before === 0 ? session[`${role}_messages`] : rest.total;
  return { items: await toMessages(ctx, items), total, hasNext: rest.hasNext };
}

/** Returns a filter by keywords and by event time, whose order may differ from that of the positions. */
function matchingMessages(ctx: HasPorts, range: ReturnType<typeof timeRangeOf>, q: string | undefined) {
  const hasWords = q === undefined ? undefined : wordsTest(q);
  const isInTime = (record: StoredRecord) => {
    const said = occurredMs(fromItem<SessionMessage>(record));
    return range === undefined || (said >= range.after && said <= range.before);
  };
  return async (records: StoredRecord[]) => {
    const inTime = records.filter(isInTime);
    return hasWords ? withWords(ctx, inTime, hasWords) : inTime;
  };
}

/** Returns the records of messages whose content matches; yields to other work between batches. */
async function withWords(ctx: HasPorts, records: StoredRecord[], hasWords: (content: string) => boolean) {
  const found: StoredRecord[] = [];
  for (const batch of inBatches(records, SEARCHED_AT_ONCE)) {
    const messages = await toMessages(ctx, batch);
    found.push(...batch.filter((_record, index) => hasWords(messages[index]?.content ?? "")));
    await nextTurn();
  }
  return found;
}

async function takeMessages(ctx: HasPorts, session: Session, { from, to }: Required<MessageRange>) {
  if (from > session.message_count) return [];
  const query = { ...messagesIn(session, { from, to }), limit: to - from + 1 };
  const { items } = await messageRecords(ctx, session).query(query);
  return toMessages(ctx, items);
}

/** Messages read per round of the search, in one cheap request; a million messages need four rounds. */
const PROBES = 32;

/** Returns the number of messages until an instant, by a search over the positions, because times grow with them. */
async function countUntil(records: MessageRecords, session: Session, instant: string): Promise<number> {
  const { org, id, message_count, last_message_at = "" } = session;
  if (instant >= last_message_at) return message_count;
  let within = 0;
  let beyond = message_count;
  while (beyond - within > 1) {
    const step = Math.ceil((beyond - within) / (PROBES + 1));
    const keys: RecordKey[] = [];
    for (let position = within + step; position < beyond; position += step) keys.push(messageKey(org, id, position));
    const probes = (await records.getMany(keys)).map((record) => fromItem<SessionMessage>(record));
    for (const { position, created_at } of probes) {
      if (created_at <= instant) within = Math.max(within, position);
      else beyond = Math.min(beyond, position);
    }
  }
  return within;
}

/** Estimates by the session's average how many messages have this many tokens, within a query's limit. */
function messagesFor(tokens: number, { total_tokens, message_count }: Session): number {
  const average = Math.max(1, total_tokens) / Math.max(1, message_count);
  return Math.min(MAX_MESSAGES_PER_QUERY, Math.max(MIN_MESSAGES_PER_QUERY, Math.ceil(tokens / average)));
}

/** Returns the first messages from a position on in at most this many tokens, but at least one; in order. */
export function oldestWithin(ctx: HasPorts, session: Session, from: number, tokens: number): Promise<SessionMessage[]> {
  return takeWithin(ctx, session, messagesIn(session, { from }), { tokens, min: 1 });
}

/** Returns the newest messages from a position on in at most this many tokens; in order. */
export async function newestWithin(ctx: HasPorts, session: Session, from: number, tokens: number) {
  const range = { ...messagesIn(session, { from }), descending: true };
  return (await takeWithin(ctx, session, range, { tokens, min: 0 })).reverse();
}

async function takeWithin(
  ctx: HasPorts,
  session: Session,
  range: Omit<RecordQuery, "limit">,
  { tokens, min }: { tokens: number; min: number },
): Promise<SessionMessage[]> {
  const records = messageRecords(ctx, session);
  const taken: StoredRecord[] = [];
  let left = tokens;
  let after: string | undefined;
  do {
    const page = await records.query({ ...range, limit: messagesFor(left, session), after });
    for (const record of page.items) {
      left -= fromItem<SessionMessage>(record).tokens;
      if (left < 0 && taken.length >= min) return toMessages(ctx, taken);
      taken.push(record);
    }
    after = page.cursor;
  } while (after !== undefined);
  return toMessages(ctx, taken);
}

/** Yields all messages of a range in order, in batches, for sessions of any length. */
export async function* readMessages(
  ctx: HasPorts,
  session: Session,
  range: MessageRange = {},
): AsyncGenerator<SessionMessage[], void> {
  const records = messageRecords(ctx, session);
  const query = { ...messagesIn(session, range), limit: MAX_MESSAGES_PER_QUERY };
  for await (const items of queryPages(records, query)) yield await toMessages(ctx, items);
}

/**
 * Returns a test whether a text contains each keyword of a query in a form that search accepts; false without keywords.
 */
export function wordsTest(query: string): (content: string) => boolean {
  const wanted = queryKeywords(query).map(({ forms }) => [...forms.keys()]);
  return (content) => {
    const terms = new Set(indexTerms(content));
    return wanted.length > 0 && wanted.every((forms) => forms.some((form) => terms.has(form)));
  };
}
