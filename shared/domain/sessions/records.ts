import { setImmediate as nextTurn } from "node:timers/promises";
import { existing, invalid } from "../../kernel/errors.ts";
import { occurredMs } from "../../kernel/event-time.ts";
import type { PageRequest, SortOrder } from "../../kernel/pagination.ts";
import { inBatches } from "../../kernel/parallel.ts";
import { indexTerms, queryKeywords } from "../../language/words/keywords.ts";
import { unexpired } from "../../ports/conditions.ts";
import { changedValues, fromItem, getObject, setOrRemove, toItem } from "../../ports/item.ts";
import type { Json, JsonObject } from "../../ports/json.ts";
import { AFTER_ANY_ID, COUNT_CEILING, filterBy, type Listing, readPage } from "../../ports/listing.ts";
import { getInOrder, queryPages } from "../../ports/pages.ts";
import type { IndexName, RecordKey, RecordQuery, StoredRecord, Write } from "../../ports/record-store.ts";
import type { HasPorts, MemoryScope, OrgReader } from "../../runtime/context.ts";
import type { OwnedResource } from "../identity/owned-resources.ts";
import { ContentMissingError, loadContent, type StoredContent } from "../memory/content.ts";
import { ArchivedMessages, type MessageRecords, messageSortKey, padded } from "./archived-messages.ts";
import {
  type MessageRole,
  occurredSpan,
  occurredWith,
  type Session,
  type SessionContext,
  type SessionMessage,
  type SessionState,
  type SessionWithContext,
} from "./session.ts";
import type { ConversationState } from "./state.ts";
import type { Segment } from "./summary.ts";

export const SESSION_KIND = "session";
export const MESSAGE_KIND = "message";
const CONTEXT_KIND = "session_context";

/** The context of a session reader; an agent sees only its own sessions. */
type Viewer = Pick<MemoryScope, "ports" | "clock" | "org" | "viewer">;

const MAX_MESSAGES_PER_QUERY = 1000;
/** Sessions read at a time if each must be examined. */
const SESSIONS_AT_ONCE = 100;
/** Messages searched at a time before yielding to other work. */
const SEARCHED_AT_ONCE = 50;
const MIN_MESSAGES_PER_QUERY = 16;

export const collectionOf = (org: string, id: string): string => `${org}#${id}`;
const keyIn = (org: string, id: string, sk: string): RecordKey => ({ pk: collectionOf(org, id), sk });
export const sessionKey = (org: string, id: string): RecordKey => keyIn(org, id, "session");
const listingKey = (org: string, id: string): RecordKey => keyIn(org, id, "listing");
const contextKey = (org: string, id: string): RecordKey => keyIn(org, id, "context");
const stateKey = (org: string, id: string): RecordKey => keyIn(org, id, "state");
const segmentKey = (org: string, id: string, from: number): RecordKey => keyIn(org, id, `segment#${padded(from)}`);
const messageKey = (org: string, id: string, position: number) => keyIn(org, id, messageSortKey(position));

// ---------------------------------------------------------------- indexes

/**
 * Each message moves its session to the front of the lists by update time. Therefore the session itself is only in
 * these; the lists by creation time hold a separate record, written once and on status changes.
 */
type Order = "created_at" | "updated_at";

const listOf = (org: string, order: Order, of: { user?: string; agent?: string } = {}): string => {
  const list = `${org}#sessions#${order}`;
  if (of.user !== undefined) return `${list}#user#${of.user}`;
  return of.agent === undefined ? list : `${list}#agent#${of.agent}`;
};

function indexKeys(session: Session, order: Order) {
  const { org, user_id, agent_id } = session;
  const sortKey = sortKeyIn(session, order);
  return {
    gsi1pk: listOf(org, order, { user: user_id }),
    gsi1sk: sortKey,
    gsi2pk: listOf(org, order, { agent: agent_id }),
    gsi2sk: sortKey,
    gsi3pk: listOf(org, order),
    gsi3sk: sortKey,
  };
}

const sortKeyIn = (session: Pick<Session, Order | "id">, order: Order): string => `${session[order]}#${session.id}`;

export const ttlOf = ({ expire_at }: Pick<Session, "expire_at">): number | undefined =>
  expire_at === undefined ? undefined : Math.ceil(Date.parse(expire_at) / 1000);

function toListing(session: Session): StoredRecord {
  const { org, id, user_id, agent_id, status, created_at, expire_at } = session;
  const value = { id, org, user_id, agent_id, status, created_at, expire_at };
  const index = { ...indexKeys(session, "created_at"), ttl: ttlOf(session) };
  return toItem(listingKey(org, id), "session_listing", value, index);
}

// ---------------------------------------------------------------- sessions

/** Returns all writes of a new session. */
export function putSession(session: Session, context: SessionContext): Write[] {
  const { org, id } = session;
  const index = { ...indexKeys(session, "updated_at"), ttl: ttlOf(session) };
  return [
    { put: toItem(sessionKey(org, id), SESSION_KIND, session, index), condition: "absent" },
    { put: toListing(session) },
    { put: toItem(contextKey(org, id), CONTEXT_KIND, context, { ttl: ttlOf(session) }) },
  ];
}

/** Returns the session of a table record or a change. */
export function toSession(record: StoredRecord): Session {
  return fromItem<Session>(record);
}

/** Whether the reader can see the session: it has not expired and belongs to the viewer. */
function isVisible(
  { clock, viewer }: Viewer,
  { expire_at, agent_id }: Pick<Session, "expire_at" | "agent_id">,
): boolean {
  const isLive = expire_at === undefined || Date.parse(expire_at) > clock();
  return isLive && (viewer === undefined || viewer === agent_id);
}

/** Returns undefined if the session is missing, expired, or of another organization or agent. */
export async function findSession(ctx: Viewer, id: string): Promise<Session | undefined> {
  const record = await ctx.ports.records.get(sessionKey(ctx.org, id));
  const session = record && toSession(record);
  return session && isVisible(ctx, session) ? session : undefined;
}

/** Returns the session with its context, in one round trip; undefined as with `findSession`. */
export async function findSessionWithContext(ctx: Viewer, id: string): Promise<SessionWithContext | undefined> {
  const found = await ctx.ports.records.getMany([sessionKey(ctx.org, id), contextKey(ctx.org, id)]);
  const session = found.find(({ kind }) => kind === SESSION_KIND);
  const context = found.find(({ kind }) => kind === CONTEXT_KIND);
  if (!session || !context || !isVisible(ctx, toSession(session))) return undefined;
  return { session: toSession(session), context: fromItem<SessionContext>(context) };
}

/** Returns the initial context of a session, which never changes; undefined if the session was deleted. */
export async function findInitialContext({ ports, org }: OrgReader, id: string): Promise<JsonObject | undefined> {
  return (await getObject<SessionContext>(ports.records, contextKey(org, id)))?.initial_context;
}

/** Returns the session's context. Throws SESSION_NOT_FOUND if the session was deleted. */
export async function getSessionContext({ ports, org }: OrgReader, id: string): Promise<SessionContext> {
  return existing(await getObject<SessionContext>(ports.records, contextKey(org, id)), "session", id);
}

/** Fields that clients and transitions change; null removes a field. Counters change only with messages. */
export type SessionChange = Partial<
  Pick<
    Session,
    | "title"
    | "config"
    | "metadata"
    | "status"
    | "updated_at"
    | "closed_at"
    | "reason"
    | "summary"
    | "remembered_messages"
  > & { [Ending in "archived_at" | "expire_at"]: string | null }
>;

/**
 * Returns all writes of a change, which creates the next version; refused if the version changed since `before` was
 * read. Messages added meanwhile do not matter, except if the change sets `remembered_messages`: then it is refused.
 */
export function changeSession(before: Session, change: SessionChange): Write[] {
  const after = withChange(before, change);
  const { org, id, version } = before;
  const { updated_at: _moved, ...changed } = change;
  const { expire_at, status, remembered_messages } = change;
  const ttl = expire_at == null ? expire_at : ttlOf(after);
  const values = changedValues({ ...changed, ttl });
  const update: Write = {
    update: sessionKey(org, id),
    ...setOrRemove({ ...values, version: version + 1, ...movedTo(after) }),
    condition: { version, ...(remembered_messages !== undefined && { message_count: before.message_count }) },
  };
  const changesListing = status !== undefined || expire_at !== undefined;
  return changesListing ? [update, { put: toListing(after) }] : [update];
}

/** Returns the query for the list of a user's complete sessions. */
export function sessionsOfUser(org: string, user: string): Pick<RecordQuery, "index" | "pk"> {
  return { index: "gsi1", pk: listOf(org, "updated_at", { user }) };
}

/** A user's sessions, for a transfer of ownership. */
export const sessionsOwned: OwnedResource = {
  name: "sessions",
  listing: sessionsOfUser,
  reassign(_runtime, record, { from, to }) {
    const session = toSession(record);
    return session.user_id === from && to !== undefined ? transferSession(session, to) : undefined;
  },
};

/** Returns the writes that transfer a session to another user; refused if it changed since it was read. */
function transferSession(before: Session, user_id: string): Write[] {
  const { org, id, version } = before;
  const after = { ...before, user_id };
  const { gsi1pk } = indexKeys(after, "updated_at");
  return [
    { update: sessionKey(org, id), set: { user_id, gsi1pk }, add: { version: 1 }, condition: { version } },
    { put: toListing(after) },
  ];
}

/** Returns the session after a change; fields that are undefined in the change are kept. */
export function withChange(before: Session, change: SessionChange): Session {
  return { ...before, ...changedValues(change), version: before.version + 1 };
}

/** Returns the attributes that determine a session's position in the lists by update time. */
function movedTo(session: Pick<Session, "id" | Order>): { [name: string]: Json } {
  const sortKey = sortKeyIn(session, "updated_at");
  return { updated_at: session.updated_at, gsi1sk: sortKey, gsi2sk: sortKey, gsi3sk: sortKey };
}

export interface SessionFilter {
  user_id?: string;
  agent_id?: string;
  status?: SessionState;
  /** ISO 8601, inclusive. */
  created_after?: string;
  created_before?: string;
  /** ISO 8601, inclusive: sessions whose event times, from the first to the last message, overlap this range. */
  occurred_after?: string;
  occurred_before?: string;
}

/** No agent has this name. */
const NO_AGENT = "";

/** Returns the filter restricted to the viewer's sessions; it matches nothing if it names another agent. */
export function limitedToViewer<Filter extends { agent_id?: string | undefined }>(
  { viewer }: Pick<MemoryScope, "viewer">,
  filter: Filter,
): Filter {
  if (viewer === undefined) return filter;
  const { agent_id = viewer } = filter;
  return { ...filter, agent_id: agent_id === viewer ? viewer : NO_AGENT };
}

/**
 * Returns a page of an organization's sessions, from the index that fits the filter. `total` stops at COUNT_CEILING.
 */
export async function listSessions(
  ctx: Viewer,
  filter: SessionFilter,
  sort: SortOrder<Order>,
  page: PageRequest,
): Promise<Listing<Session>> {
  const { records } = ctx.ports;
  const query = { ...listQuery(ctx, filter, sort.field), descending: sort.descending };
  const isWhole = sort.field === "updated_at" && query.index !== "gsi3";
  const toSessions = async (items: StoredRecord[]) => (isWhole ? items : await inOrder(ctx, items)).map(toSession);
  const range = rangeOf(filter);
  if (range === undefined) {
    const { items, ...rest } = await readPage(records, query, page);
    return { items: await toSessions(items), ...rest };
  }
  if (page.cursor !== undefined)
    throw invalid({ field: "cursor", problem: "is not used with event times: use `offset`" });
  const isWithin = (session: Session) => {
    const { first, last } = occurredSpan(session);
    return last >= range.after && first <= range.before;
  };
  const pages = queryPages(records, { ...query, limit: SESSIONS_AT_ONCE });
  return scanPage(pages, async (items) => (await toSessions(items)).filter(isWithin), page);
}

/** Returns a page of items that no index finds: reads everything until COUNT_CEILING items match. */
async function scanPage<Item>(
  pages: AsyncIterable<StoredRecord[]>,
  matchesIn: (records: StoredRecord[]) => Promise<Item[]>,
  { limit, offset }: PageRequest,
): Promise<Listing<Item>> {
  const items: Item[] = [];
  let total = 0;
  for await (const records of pages) {
    const matches = await matchesIn(records);
    items.push(...matches.slice(Math.max(0, offset - total)).slice(0, limit - items.length));
    total += matches.length;
    if (total >= COUNT_CEILING && items.length === limit) break;
  }
  return { items, total, hasNext: offset + items.length < total };
}

/** Returns the range of event times in epoch milliseconds, both ends inclusive; undefined without limits. */
function rangeOf({ occurred_after, occurred_before }: Pick<SessionFilter, "occurred_after" | "occurred_before">) {
  if (occurred_after === undefined && occurred_before === undefined) return undefined;
  return {
    after: occurred_after === undefined ? Number.NEGATIVE_INFINITY : Date.parse(occurred_after),
    before: occurred_before === undefined ? Number.POSITIVE_INFINITY : Date.parse(occurred_before),
  };
}

/** Returns the number of active sessions with activity since an instant (ISO 8601), up to COUNT_CEILING. */
export function countActive(ctx: Viewer, filter: SessionFilter, since: string): Promise<number> {
  const query = listQuery(ctx, { ...filter, status: "active" }, "updated_at");
  return ctx.ports.records.count({ ...query, sk: { atLeast: since } }, COUNT_CEILING);
}

/** Returns the sessions with activity since an instant (ISO 8601), newest first. */
export async function listRecent(ctx: Viewer, filter: SessionFilter, since: string, limit: number): Promise<Session[]> {
  const query = { ...listQuery(ctx, filter, "updated_at"), sk: { atLeast: since }, descending: true, limit };
  const { items } = await ctx.ports.records.query(query);
  const records = query.index === "gsi3" ? await inOrder(ctx, items) : items;
  return records.map(toSession);
}

function listQuery(ctx: Viewer, filter: SessionFilter, order: Order) {
  const { user_id: user, agent_id: agent, status, created_after, created_before } = limitedToViewer(ctx, filter);
  const index: IndexName = user !== undefined ? "gsi1" : agent !== undefined ? "gsi2" : "gsi3";
  const isDated = created_after !== undefined || created_before !== undefined;
  const range = { atLeast: created_after, atMost: created_before };
  const atMost = created_before === undefined ? undefined : created_before + AFTER_ANY_ID;
  const isByCreation = order === "created_at";
  const agent_id = user === undefined ? undefined : agent;
  const created_at = isDated && !isByCreation ? range : undefined;
  const where = filterBy({ agent_id, status, created_at }, unexpired(ctx.clock()));
  const sk: RecordQuery["sk"] = isDated && isByCreation ? { atLeast: created_after, atMost } : undefined;
  return { index, pk: listOf(ctx.org, order, { user, agent }), sk, where };
}

/** Returns the complete session records for records of a list, in order; deleted sessions are left out. */
function inOrder({ ports, org }: OrgReader, items: StoredRecord[]): Promise<StoredRecord[]> {
  const keys = items.map((item) => sessionKey(org, String(item.id)));
  return getInOrder(ports.records, keys);
}

// ---------------------------------------------------------------- messages

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
  const range = rangeOf(filter);
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
function matchingMessages(ctx: HasPorts, range: ReturnType<typeof rangeOf>, q: string | undefined) {
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

// ---------------------------------------------------------------- context

/** Returns the write that stores the context; refused if it changed since `before` was read. */
export function replaceContext(session: Session, before: SessionContext, after: SessionContext): Write {
  const { org, id } = session;
  const put = toItem(contextKey(org, id), CONTEXT_KIND, after, { ttl: ttlOf(session) });
  return { put, condition: { revision: before.revision } };
}

/** Returns the segments of a session's summary in order. */
export async function readSegments({ ports, org }: OrgReader, id: string): Promise<Segment[]> {
  const query = { pk: collectionOf(org, id), sk: { beginsWith: "segment#" }, limit: MAX_MESSAGES_PER_QUERY };
  const { items } = await ports.records.query(query);
  return items.map(fromItem<Segment>);
}

/** The counters of a session after a compaction. */
export type Folded = Pick<Session, "folded_messages" | "folded_tokens" | "summary_tokens">;

/** Returns all writes that move messages into the summary; refused if the summary changed since `before` was read. */
export function replaceSegments(
  before: Session,
  segments: { before: Segment[]; after: Segment[] },
  folded: Folded,
): Write[] {
  const { org, id, folded_messages, summary_tokens } = before;
  const kept = new Set(segments.after.map(({ from }) => from));
  const removed = segments.before.filter(({ from }) => !kept.has(from));
  const added = segments.after.filter((segment) => !segments.before.includes(segment));
  return [
    { update: sessionKey(org, id), set: { ...folded }, condition: { folded_messages, summary_tokens } },
    ...removed.map(({ from }): Write => ({ delete: segmentKey(org, id, from) })),
    ...added.map((segment) => putSegment(before, segment)),
  ];
}

/** Returns the write of one segment of the summary, for a session whose counters already include it. */
export function putSegment(session: Session, segment: Segment): Write {
  const { org, id } = session;
  const index = { ttl: ttlOf(session) };
  return { put: toItem(segmentKey(org, id, segment.from), "session_segment", segment, index) };
}

/** The state of a conversation up to a message. */
export interface KnownState {
  through: number;
  state: ConversationState;
  /** A short summary of the messages while none is compacted. */
  gist?: Segment;
}

/** Returns undefined if nobody has queried the state of the session yet. */
export function findState({ ports, org }: OrgReader, id: string): Promise<KnownState | undefined> {
  return getObject(ports.records, stateKey(org, id));
}

/** Returns the write that removes the state's expiry, which an earlier release set while the session was archived. */
export function keepState({ org, id }: Session): Write {
  return { update: stateKey(org, id), remove: ["ttl"], condition: "present" };
}

/** Returns the write that stores the state; refused if it was extended since `before`. It expires with its session. */
export function replaceState(session: Session, before: KnownState | undefined, after: KnownState): Write {
  const { org, id } = session;
  return {
    put: toItem(stateKey(org, id), "session_state", after),
    condition: before ? { through: before.through } : "absent",
  };
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
