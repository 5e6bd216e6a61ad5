import { findAgent } from "../../shared/domain/agents/records.ts";
import { countActivity } from "../../shared/domain/identity/activity.ts";
import { findUser } from "../../shared/domain/identity/users.ts";
import { admitTexts } from "../../shared/domain/sessions/admit-texts.ts";
import { addMessage as append } from "../../shared/domain/sessions/append.ts";
import {
  changeSession,
  getSessionWithContext,
  getSession as requireSession,
} from "../../shared/domain/sessions/change.ts";
import { listMessages as readMessages } from "../../shared/domain/sessions/message-records.ts";
import { countSessionStarted } from "../../shared/domain/sessions/metrics.ts";
import { getSessionContext, putSession, listSessions as readSessions } from "../../shared/domain/sessions/records.ts";
import {
  compressionRatio,
  NO_MESSAGES,
  type Session,
  type SessionConfig,
  type SessionContext,
} from "../../shared/domain/sessions/session.ts";
import { notFound } from "../../shared/kernel/errors.ts";
import { eventTimeOf } from "../../shared/kernel/event-time.ts";
import { looksLike } from "../../shared/kernel/ids.ts";
import { pagination, parseSort } from "../../shared/kernel/pagination.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { type Context, newResource } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";

/**
 * Clients choose names of agents and users freely, but a name that looks like an id of this service must exist in the
 * organization. An agent's key may name only its own agent.
 */
async function refuseUnknown(
  { ports: { records }, org, viewer }: Context,
  { agent_id, user_id }: Pick<Session, "agent_id" | "user_id">,
): Promise<void> {
  if (viewer !== undefined && viewer !== agent_id) throw notFound("agent", agent_id);
  const isAgent = looksLike("agent", agent_id);
  const isUser = looksLike("user", user_id);
  const [agent, user] = await Promise.all([
    isAgent ? findAgent(records, org, agent_id) : undefined,
    isUser ? findUser(records, org, user_id) : undefined,
  ]);
  if (isAgent && !agent) throw notFound("agent", agent_id);
  if (isUser && (!user || user.status === "deleted")) throw notFound("user", user_id);
}

export async function createSession(
  ctx: Context,
  { initial_context: stated, ...given }: Input<typeof schemas.CreateSession>,
) {
  await refuseUnknown(ctx, given);
  const { title, metadata } = given;
  const texts = { title, metadata, initial_context: stated };
  const { initial_context, ...admitted } = await admitTexts(ctx, texts, async () => given.user_id);
  const session: Session = { ...given, ...admitted, ...newResource(ctx, "session"), ...NO_MESSAGES, status: "active" };
  const { id: session_id, updated_at } = session;
  const context = { session_id, initial_context, current: initial_context, revision: 1, updated_at };
  await ctx.ports.records.write(...putSession(session, context));
  countActivity(ctx, "sessions_started");
  countSessionStarted(ctx, session);
  return { ...session, initial_context };
}

export async function listSessions(ctx: Context, query: Input<typeof schemas.ListSessions>) {
  const { limit, offset, cursor: from, sort, ...filter } = query;
  const order = parseSort(sort, ["updated_at", "created_at"]);
  const page = { limit, offset, cursor: from };
  const { items: sessions, total, hasNext, cursor } = await readSessions(ctx, filter, order, page);
  return { sessions, pagination: pagination(page, total, hasNext, cursor) };
}

/** Throws SESSION_NOT_FOUND for a session that is missing, expired, or of another organization or agent. */
export async function getSession(ctx: Context, id: string) {
  const { session, context } = await getSessionWithContext(ctx, id);
  return present(session, context);
}

/** A session in the API's form. */
export function present(session: Session, { initial_context }: Pick<SessionContext, "initial_context">) {
  return { ...session, initial_context, context_compression_ratio: compressionRatio(session) };
}

type SessionUpdate = Input<typeof schemas.UpdateSession>;

export async function updateSession(ctx: Context, id: string, change: SessionUpdate, ifMatch?: number) {
  const texts = { title: change.title, metadata: change.metadata };
  const { title, metadata } = await admitTexts(ctx, texts, () => userOf(ctx, id), id);
  const session = await changeSession(
    ctx,
    id,
    ({ config }) => ({ title, metadata, config: change.config && changedConfig(config, change.config) }),
    ifMatch,
  );
  return present(session, await getSessionContext(ctx, id));
}

/** The user of a session. Throws SESSION_NOT_FOUND as `getSession` does. */
export async function userOf(ctx: Context, id: string): Promise<string> {
  return (await requireSession(ctx, id)).user_id;
}

function changedConfig(
  before: SessionConfig,
  { max_messages = before.max_messages, ...rest }: NonNullable<SessionUpdate["config"]>,
): SessionConfig {
  const { max_messages: _limit, ...others } = before;
  return { ...others, ...rest, ...(max_messages == null ? {} : { max_messages }) };
}

export async function addMessage(ctx: Context, id: string, draft: Input<typeof schemas.AddMessage>) {
  const { session, message, leftOut } = await append(ctx, id, draft);
  const ids = { id, message_id: message.id, session_tokens: session.total_tokens };
  const left_out = leftOut.length === 0 ? {} : { left_out: leftOut };
  return { ...message, ...left_out, ...eventTimeOf(message, ctx.clock()), ...ids };
}

export async function listMessages(ctx: Context, session_id: string, query: Input<typeof schemas.ListMessages>) {
  const { limit, offset, ...filter } = query;
  const session = await requireSession(ctx, session_id);
  const { items, total, hasNext } = await readMessages(ctx, session, filter, { limit, offset });
  const { message_count: total_messages, total_tokens } = session;
  const now = ctx.clock();
  return {
    session_id,
    messages: items.map((message) => ({ ...message, ...eventTimeOf(message, now) })),
    pagination: pagination({ limit, offset }, total, hasNext),
    session_stats: { total_messages, total_tokens, compression_ratio: compressionRatio(session) },
  };
}
