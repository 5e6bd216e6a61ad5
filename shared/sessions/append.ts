import { setTimeout as sleep } from "node:timers/promises";
import { loadTokenCounter } from "../compression/tokens.ts";
import { enqueueJob } from "../jobs/queue.ts";
import { insertJob } from "../jobs/records.ts";
import { timestamp } from "../kernel/clock.ts";
import { ServiceError } from "../kernel/errors.ts";
import { type StoredContent, storeContent } from "../memory/content.ts";
import type { Context } from "../platform/context.ts";
import { ConditionFailed } from "../platform/errors.ts";
import type { JsonObject } from "../platform/ports.ts";
import { messageContentKey } from "./archived-messages.ts";
import { getSession, refuseClosed } from "./change.ts";
import { countMessage } from "./figures.ts";
import { foldWhatIsDue } from "./fold.ts";
import { appendMessage } from "./records.ts";
import { rememberingOf } from "./remembering.ts";
import { contextTokens, type MessageRole, type Session, type SessionMessage } from "./session.ts";

export interface MessageDraft {
  role: MessageRole;
  content: string;
  metadata: JsonObject;
  /** ISO with its offset; when it was said, if not now. */
  occurred_at?: string;
}

/** So long writers of one session make way for each other; of twenty at once the last has had its turn long before. */
const PATIENCE_MS = 20_000;
const LONGEST_PAUSE_MS = 1_000;

/**
 * Adds a message as the newest of its session, in one transaction with the session's counters: the count that the
 * session has is the message's place, so of writers that meet one goes first and the others queue up behind it.
 * Answers the message and the session with it. Throws SESSION_NOT_FOUND, SESSION_CLOSED, MESSAGE_LIMIT_EXCEEDED,
 * CONTEXT_WINDOW_EXCEEDED, and CONFLICT when others would not let it through.
 */
export async function addMessage(
  ctx: Context,
  sessionId: string,
  draft: MessageDraft,
): Promise<{ session: Session; message: SessionMessage }> {
  const [session, counter] = await Promise.all([getSession(ctx, sessionId), loadTokenCounter()]);
  const tokens = counter.count(draft.content);
  refuseUnfit(session, tokens);
  const id = ctx.ids("message");
  const stored = await storeContent(ctx, messageContentKey(session, id, draft.content), draft.content);
  try {
    const added = await takePlace(ctx, session, { ...draft, id, tokens }, stored);
    countMessage(ctx, added.session, added.message);
    await makeRoom(ctx, added.session);
    return added;
  } catch (error) {
    if (error instanceof ServiceError && "content_blob" in stored) await ctx.ports.blobs.delete(stored.content_blob);
    throw error;
  }
}

/** The message is stored whatever becomes of the summary: what is not folded now is folded with the next message, or read. */
async function makeRoom(ctx: Context, session: Session): Promise<void> {
  try {
    await foldWhatIsDue(ctx, session);
  } catch (error) {
    ctx.logger.error("SESSION_FOLD_FAILED", { session: session.id, error });
  }
}

async function takePlace(
  ctx: Context,
  session: Session,
  draft: MessageDraft & Pick<SessionMessage, "id" | "tokens">,
  stored: StoredContent,
): Promise<{ session: Session; message: SessionMessage }> {
  const begunAt = performance.now();
  let before = session;
  for (let pause = 0; ; ) {
    refuseUnfit(before, draft.tokens);
    const message = placeAfter(ctx, before, draft);
    try {
      const job = rememberingOf(ctx, before, message);
      const kept = job ? { ...message, is_remembered: true as const } : message;
      await ctx.ports.records.write(...appendMessage(before, kept, stored), ...(job ? [insertJob(job)] : []));
      if (job) await enqueueJob(ctx, job);
      return { session: withMessage(before, kept), message: kept };
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
    const waited = performance.now() - begunAt;
    if (waited > PATIENCE_MS) {
      throw new ServiceError("CONFLICT", "Others keep adding to this session. Try again.", { session_id: session.id });
    }
    // A random share of a time that doubles, in the measure of what a write takes here: writers do not meet again in step.
    pause = Math.min(LONGEST_PAUSE_MS, 2 * (pause || waited));
    await sleep(Math.random() * pause);
    // Read after the pause: what the failed condition met is long past by now.
    before = await getSession(ctx, session.id);
  }
}

function refuseUnfit(session: Session, tokens: number): void {
  refuseClosed(session);
  const { id: session_id, config, message_count } = session;
  const { context_window, compression_enabled, max_messages } = config;
  if (max_messages !== undefined && message_count >= max_messages) {
    throw new ServiceError("MESSAGE_LIMIT_EXCEEDED", `The session takes at most ${max_messages} messages.`, {
      session_id,
      max_messages,
      message_count,
    });
  }
  const context_tokens = contextTokens(session);
  if (!compression_enabled && context_tokens + tokens > context_window) {
    throw new ServiceError(
      "CONTEXT_WINDOW_EXCEEDED",
      "The message would not fit into the session's context window. Turn compression on, widen the window or compress the context.",
      { session_id, context_window, context_tokens, message_tokens: tokens },
    );
  }
}

function placeAfter(
  ctx: Context,
  before: Session,
  draft: MessageDraft & Pick<SessionMessage, "id" | "tokens">,
): SessionMessage {
  const { last_role, last_message_at } = before;
  const last = last_message_at === undefined ? undefined : Date.parse(last_message_at);
  const now = Math.max(ctx.clock(), Date.parse(before.updated_at), (last ?? 0) + 1);
  const isResponse = draft.role === "assistant" && last_role === "user" && last !== undefined;
  return {
    ...draft,
    org: before.org,
    session_id: before.id,
    position: before.message_count + 1,
    tokens_before: before.total_tokens,
    ...(isResponse ? { response_ms: now - last } : {}),
    created_at: timestamp(now),
    created_by: ctx.principal.id,
  };
}

function withMessage(before: Session, { role, tokens, position, created_at }: SessionMessage): Session {
  return {
    ...before,
    message_count: position,
    total_tokens: before.total_tokens + tokens,
    [`${role}_messages`]: before[`${role}_messages`] + 1,
    last_role: role,
    last_message_at: created_at,
    updated_at: created_at,
  };
}
