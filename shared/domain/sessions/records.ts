import { existing, invalid } from "../../kernel/errors.ts";
import type { PageRequest, SortOrder } from "../../kernel/pagination.ts";
import { unexpired } from "../../ports/conditions.ts";
import { changedValues, fromItem, getObject, setOrRemove, toItem } from "../../ports/item.ts";
import type { Json, JsonObject } from "../../ports/json.ts";
import { AFTER_ANY_ID, COUNT_CEILING, filterBy, type Listing, readPage } from "../../ports/listing.ts";
import { getInOrder, queryPages } from "../../ports/pages.ts";
import type { IndexName, RecordKey, RecordQuery, StoredRecord, Write } from "../../ports/record-store.ts";
import type { MemoryScope, OrgReader } from "../../runtime/context.ts";
import type { OwnedResource } from "../identity/owned-resources.ts";
import { scanPage, timeRangeOf } from "./scan-page.ts";
import {
  occurredSpan,
  type Session,
  type SessionContext,
  type SessionState,
  type SessionWithContext,
} from "./session.ts";

export const SESSION_KIND = "session";
const CONTEXT_KIND = "session_context";

/** The context of a session reader; an agent sees only its own sessions. */
type Viewer = Pick<MemoryScope, "ports" | "clock" | "org" | "viewer">;

/** Sessions read at a time if each must be examined. */
const SESSIONS_AT_ONCE = 100;

export const collectionOf = (org: string, id: string): string => `${org}#${id}`;
export const keyIn = (org: string, id: string, sk: string): RecordKey => ({ pk: collectionOf(org, id), sk });
export const sessionKey = (org: string, id: string): RecordKey => keyIn(org, id, "session");
const listingKey = (org: string, id: string): RecordKey => keyIn(org, id, "listing");
const contextKey = (org: string, id: string): RecordKey => keyIn(org, id, "context");

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
export function movedTo(session: Pick<Session, "id" | Order>): { [name: string]: Json } {
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
  const range = timeRangeOf(filter);
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

/** Returns the write that stores the context; refused if it changed since `before` was read. */
export function replaceContext(session: Session, before: SessionContext, after: SessionContext): Write {
  const { org, id } = session;
  const put = toItem(contextKey(org, id), CONTEXT_KIND, after, { ttl: ttlOf(session) });
  return { put, condition: { revision: before.revision } };
}
