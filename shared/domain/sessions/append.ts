import { setTimeout as sleep } from "node:timers/promises";
import { timestamp } from "../../kernel/clock.ts";
import { ServiceError } from "../../kernel/errors.ts";
import type { Omission } from "../../language/statements/schemas.ts";
import { beingChanged, retryOnConflict } from "../../ports/conflicts.ts";
import type { ConditionFailedError } from "../../ports/errors.ts";
import type { Write } from "../../ports/record-store.ts";
import type { Context } from "../../runtime/context.ts";
import { enqueueJob } from "../../runtime/jobs/queue.ts";
import { insertJob } from "../../runtime/jobs/records.ts";
import { loadTokenCounter } from "../compression/condensing/tokens.ts";
import { admit, auditDetection } from "../memory/admit-text.ts";
import { type StoredContent, storeContent } from "../memory/content.ts";
import { messageContentKey } from "./archived-messages.ts";
import { getSession, refuseClosed } from "./change.ts";
import { compactContext } from "./compaction.ts";
import { messageExtractionJob } from "./extraction-jobs.ts";
import { appendMessage } from "./message-records.ts";
import { countMessage } from "./metrics.ts";
import { contextTokens, occurredWith, type Session, type SessionMessage } from "./session.ts";

export type MessageDraft = Pick<SessionMessage, "role" | "content" | "metadata" | "occurred_at" | "sent">;

/** How long a writer retries while others add messages to the session; enough for twenty writers at once. */
const TIMEOUT_MS = 20_000;
const MAX_PAUSE_MS = 1_000;

/**
 * Adds a message as the newest of its session, in one transaction with the session's counters; concurrent writers
 * retry. Throws SESSION_NOT_FOUND, SESSION_CLOSED, MESSAGE_LIMIT_EXCEEDED, CONTEXT_WINDOW_EXCEEDED, CONFLICT after too
 * many conflicts, and VALIDATION_ERROR if it has secrets and the policy refuses them.
 */
export async function addMessage(
  ctx: Context,
  sessionId: string,
  given: MessageDraft,
): Promise<{ session: Session; message: SessionMessage; leftOut: Omission[] }> {
  const [session, counter] = await Promise.all([getSession(ctx, sessionId), loadTokenCounter()]);
  const admitted = await admit(ctx, { ...given, user_id: session.user_id });
  const { leftOut, detection } = admitted;
  const { user_id: _owner, ...draft } = admitted.text;
  const tokens = counter.count(draft.content);
  requireRoom(session, tokens);
  const id = ctx.ids("message");
  const stored = await storeContent(ctx, messageContentKey(session, id, draft.content), draft.content);
  try {
    const audited = auditDetection(ctx, detection, id);
    const added = await insertMessage(ctx, session, { ...draft, id, tokens }, stored, audited);
    countMessage(ctx, added.session, added.message);
    await compactOrLog(ctx, added.session);
    return { ...added, leftOut };
  } catch (error) {
    if (error instanceof ServiceError && "content_blob" in stored) await ctx.ports.blobs.delete(stored.content_blob);
    throw error;
  }
}

/** Compacts the context. If that fails, the message stays stored: the next message or read compacts the rest. */
async function compactOrLog(ctx: Context, session: Session): Promise<void> {
  try {
    await compactContext(ctx, session);
  } catch (error) {
    ctx.logger.error("SESSION_FOLD_FAILED", { session: session.id, error });
  }
}

async function insertMessage(
  ctx: Context,
  session: Session,
  draft: MessageDraft & Pick<SessionMessage, "id" | "tokens">,
  stored: StoredContent,
  extraWrites: Write[],
): Promise<{ session: Session; message: SessionMessage }> {
  const startedAt = performance.now();
  let pause = 0;
  const tryInsert = async (conflict?: ConditionFailedError) => {
    if (conflict) {
      const waited = performance.now() - startedAt;
      if (waited > TIMEOUT_MS) throw beingChanged("session", session.id);
      // A random part of a doubling pause, so that writers do not collide again.
      pause = Math.min(MAX_PAUSE_MS, 2 * (pause || waited));
      await sleep(Math.random() * pause);
    }
    // Read after the pause, because the state that failed the condition is outdated by now.
    const before = conflict ? await getSession(ctx, session.id) : session;
    requireRoom(before, draft.tokens);
    const message = messageAfter(ctx, before, draft);
    const job = messageExtractionJob(ctx, before, message);
    const kept = job ? { ...message, is_remembered: true as const } : message;
    await ctx.ports.records.write(
      ...appendMessage(before, kept, stored),
      ...(job ? [insertJob(job)] : []),
      ...extraWrites,
    );
    return { session: withMessage(before, kept), message: kept, job };
  };
  const { job, ...inserted } = await retryOnConflict(tryInsert, { attempts: Number.POSITIVE_INFINITY });
  if (job) await enqueueJob(ctx, job);
  return inserted;
}

function requireRoom(session: Session, tokens: number): void {
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
      "The message does not fit into the session's context window. Enable compression, enlarge the window, or compress the context.",
      { session_id, context_window, context_tokens, message_tokens: tokens },
    );
  }
}

/**
 * Returns the message that follows the session's newest one. Its time is later, even if the clocks of processes differ.
 */
function messageAfter(ctx: Context, before: Session, draft: MessageDraft & Pick<SessionMessage, "id" | "tokens">) {
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

function withMessage(before: Session, message: SessionMessage): Session {
  const { role, tokens, position, created_at } = message;
  return {
    ...before,
    ...occurredWith(before, message),
    message_count: position,
    total_tokens: before.total_tokens + tokens,
    [`${role}_messages`]: before[`${role}_messages`] + 1,
    last_role: role,
    last_message_at: created_at,
    updated_at: created_at,
  };
}
