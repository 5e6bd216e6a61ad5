import { findAgent } from "../../shared/domain/agents/records.ts";
import { countActivity } from "../../shared/domain/identity/activity.ts";
import { findUser } from "../../shared/domain/identity/users.ts";
import { changeSession, getSessionWithContext } from "../../shared/domain/sessions/change.ts";
import { countSessionStarted } from "../../shared/domain/sessions/metrics.ts";
import { getSessionContext, putSession, listSessions as readSessions } from "../../shared/domain/sessions/records.ts";
import {
  compressionRatio,
  type Session,
  type SessionConfig,
  type SessionContext,
} from "../../shared/domain/sessions/session.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { notFound } from "../../shared/kernel/errors.ts";
import { looksLike } from "../../shared/kernel/ids.ts";
import { pagination, parseSort } from "../../shared/kernel/pagination.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";

/**
 * Clients choose names of agents and users freely, but an id of ours must exist in the organization. An agent's key may
 * name only itself.
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
  { initial_context, ...given }: Input<typeof schemas.CreateSession>,
): Promise<Session & Pick<SessionContext, "initial_context">> {
  await refuseUnknown(ctx, given);
  const now = timestamp(ctx.clock());
  const session: Session = {
    ...given,
    id: ctx.ids("session"),
    org: ctx.org,
    status: "active",
    message_count: 0,
    total_tokens: 0,
    user_messages: 0,
    assistant_messages: 0,
    system_messages: 0,
    folded_messages: 0,
    folded_tokens: 0,
    summary_tokens: 0,
    created_at: now,
    updated_at: now,
    created_by: ctx.principal.id,
    version: 1,
  };
  const context = { session_id: session.id, initial_context, current: initial_context, revision: 1, updated_at: now };
  await ctx.ports.records.write(...putSession(session, context));
  countActivity(ctx, "sessions_started");
  countSessionStarted(ctx, session);
  return { ...session, initial_context };
}

export async function listSessions(ctx: Context, query: Input<typeof schemas.ListSessions>) {
  const { limit, offset, sort, ...filter } = query;
  const order = parseSort(sort, ["updated_at", "created_at"]);
  const { items: sessions, total, hasNext } = await readSessions(ctx, filter, order, { limit, offset });
  return { sessions, pagination: pagination({ limit, offset }, total, hasNext) };
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

export async function updateSession(
  ctx: Context,
  id: string,
  change: Input<typeof schemas.UpdateSession>,
  ifMatch?: number,
) {
  const { title, metadata } = change;
  const session = await changeSession(
    ctx,
    id,
    ({ config }) => ({ title, metadata, config: change.config && changedConfig(config, change.config) }),
    ifMatch,
  );
  return present(session, await getSessionContext(ctx, id));
}

function changedConfig(
  before: SessionConfig,
  { max_messages = before.max_messages, ...rest }: NonNullable<Input<typeof schemas.UpdateSession>["config"]>,
): SessionConfig {
  const { max_messages: _limit, ...others } = before;
  return { ...others, ...rest, ...(max_messages == null ? {} : { max_messages }) };
}
