import { addMessage as append } from "../../shared/domain/sessions/append.ts";
import { getSession } from "../../shared/domain/sessions/change.ts";
import { listMessages as readMessages } from "../../shared/domain/sessions/records.ts";
import { compressionRatio } from "../../shared/domain/sessions/session.ts";
import { eventTimeOf } from "../../shared/kernel/event-time.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";

export async function addMessage(ctx: Context, id: string, draft: Input<typeof schemas.AddMessage>) {
  const { session, message } = await append(ctx, id, draft);
  return {
    ...message,
    ...eventTimeOf(message, ctx.clock()),
    id,
    message_id: message.id,
    session_tokens: session.total_tokens,
  };
}

export async function listMessages(ctx: Context, id: string, query: Input<typeof schemas.ListMessages>) {
  const { limit, offset, ...filter } = query;
  const session = await getSession(ctx, id);
  const { items, total, hasNext } = await readMessages(ctx, session, filter, { limit, offset });
  const { message_count, total_tokens } = session;
  const now = ctx.clock();
  return {
    session_id: id,
    messages: items.map((message) => ({ ...message, ...eventTimeOf(message, now) })),
    pagination: pagination({ limit, offset }, total, hasNext),
    session_stats: {
      total_messages: message_count,
      total_tokens,
      compression_ratio: compressionRatio(session),
    },
  };
}
