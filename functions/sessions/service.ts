import type * as z from "zod";
import { timestamp } from "../../shared/kernel/clock.ts";
import { notFound } from "../../shared/kernel/errors.ts";
import { pagination, parseSort } from "../../shared/kernel/pagination.ts";
import type { Context } from "../../shared/platform/context.ts";
import { findSessionWithContext, putSession, listSessions as readSessions } from "../../shared/sessions/records.ts";
import type { Session, SessionContext } from "../../shared/sessions/session.ts";
import type * as schemas from "./schemas.ts";

type Input<Schema extends z.ZodType> = z.output<Schema>;

export async function createSession(
  ctx: Context,
  { initial_context, ...given }: Input<typeof schemas.CreateSession>,
): Promise<Session & Pick<SessionContext, "initial_context">> {
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
  return { ...session, initial_context };
}

export async function listSessions(ctx: Context, query: Input<typeof schemas.ListSessions>) {
  const { limit, offset, sort, ...filter } = query;
  const order = parseSort(sort, ["updated_at", "created_at"]);
  const { sessions, total, hasNext } = await readSessions(ctx, filter, order, { limit, offset });
  return { sessions, pagination: pagination({ limit, offset }, total, hasNext) };
}

/** Throws SESSION_NOT_FOUND for an absent, a foreign and an expired id alike. */
export async function getSession(ctx: Context, id: string) {
  const found = await findSessionWithContext(ctx, id);
  if (!found) throw notFound("session", id);
  const { session, context } = found;
  const { initial_context } = context;
  return { ...session, initial_context, context_compression_ratio: compressionRatio(session) };
}

/** Tokens of the context over tokens of all messages. */
function compressionRatio({ total_tokens, folded_tokens, summary_tokens }: Session): number {
  return total_tokens === 0 ? 1 : (total_tokens - folded_tokens + summary_tokens) / total_tokens;
}
