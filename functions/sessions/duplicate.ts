import { loadTokenCounter } from "../../shared/domain/compression/condensing/tokens.ts";
import { countActivity } from "../../shared/domain/identity/activity.ts";
import { storeContent } from "../../shared/domain/memory/content.ts";
import { admitTexts } from "../../shared/domain/sessions/admit-texts.ts";
import { messageContentKey } from "../../shared/domain/sessions/archived-messages.ts";
import { getSessionWithContext } from "../../shared/domain/sessions/change.ts";
import { type DueChore, finishChore, putChore } from "../../shared/domain/sessions/chores.ts";
import { putMessage, readMessages } from "../../shared/domain/sessions/message-records.ts";
import { countSessionStarted } from "../../shared/domain/sessions/metrics.ts";
import { putSession } from "../../shared/domain/sessions/records.ts";
import {
  NO_MESSAGES,
  occurredSpan,
  type Session,
  type SessionContext,
  type SessionMessage,
  type SessionWithContext,
} from "../../shared/domain/sessions/session.ts";
import { type Segment, summaryOf } from "../../shared/domain/sessions/summary.ts";
import {
  findState,
  type KnownState,
  putSegment,
  readSegments,
  replaceState,
} from "../../shared/domain/sessions/summary-records.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import { inBatches, inParallel } from "../../shared/kernel/parallel.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { type Context, newResource } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";
import { MAX_TITLE_LENGTH } from "./schemas.ts";
import { present } from "./service.ts";

/** Messages per transaction: with the maximum content they stay below its 4 MB. */
const MESSAGES_PER_WRITE = 40;
const CONCURRENCY = 4;
/** Time limit of a copy, after which it is aborted; below the time limit of the request. */
const COPYING_MS = 22_000;
/** After this time the rest of a failed copy is deleted; no request can still be working on it. */
const PURGE_AFTER_MS = 3_600_000;

/** All data that a copy takes from its original, as of one moment. */
interface Original extends SessionWithContext {
  segments: Segment[];
  state: KnownState | undefined;
}

/**
 * Creates a copy of a session in any status, with messages and context by default. The session's own record is written
 * last: until then the copy is invisible, and if it never appears, the sweep deletes the rest. Throws PAYLOAD_TOO_LARGE
 * for a session that is too long for one request.
 */
export async function duplicateSession(ctx: Context, id: string, options: Input<typeof schemas.DuplicateSession>) {
  const original = await readOriginal(ctx, id);
  const { include_messages, include_context } = options;
  const source = include_messages ? original : withoutMessages(original);
  const { new_title } = options;
  const { title } = await admitTexts(ctx, { title: new_title }, async () => original.session.user_id, id);
  const session = await copyOf(ctx, source, title);
  const due = timestamp(ctx.clock() + PURGE_AFTER_MS);
  const leftovers: DueChore = { what: "purge", org: session.org, session_id: session.id, due };
  await ctx.ports.records.write(putChore(leftovers));
  if (include_messages) await copyMessages(ctx, original.session, session);
  const context = contextOf(session, original.context, include_context);
  await ctx.ports.records.write(
    ...putSession(session, context),
    ...source.segments.map((segment) => putSegment(session, segment)),
    ...(include_context && source.state ? [replaceState(session, undefined, source.state)] : []),
    finishChore(leftovers),
  );
  countActivity(ctx, "sessions_started");
  countSessionStarted(ctx, session);
  return present(session, context);
}

/** The summary is read before the session, so that it never covers messages that the session lacks. */
async function readOriginal(ctx: Context, id: string): Promise<Original> {
  const [segments, state] = await Promise.all([readSegments(ctx, id), findState(ctx, id)]);
  return { ...(await getSessionWithContext(ctx, id)), segments, state };
}

/** Without messages, their summary is dropped too; the conversation's state is context. */
function withoutMessages({ session, context, state }: Original): Original {
  const { last_role, last_message_at, first_occurred_at, last_occurred_at, ...rest } = session;
  const keptState = state && { through: 0, state: state.state };
  return { session: { ...rest, ...NO_MESSAGES }, context, segments: [], state: keptState };
}

/** A copy has neither the end of its original nor what was archived or extracted from it. */
async function copyOf(ctx: Context, { session, segments }: Original, new_title: string | undefined): Promise<Session> {
  const { closed_at, reason, summary, archived_at, expire_at, ...open } = session;
  const { archived_messages, remembered_messages, ...kept } = open;
  const { first, last } = occurredSpan(session);
  const span = { first_occurred_at: timestamp(first), last_occurred_at: timestamp(last) };
  return {
    ...kept,
    title: new_title ?? titleOfCopy(session.title),
    ...(kept.last_message_at !== undefined && span),
    ...newResource(ctx, "session"),
    status: "active",
    folded_messages: segments.at(-1)?.to ?? 0,
    folded_tokens: segments.reduce((sum, { original_tokens }) => sum + original_tokens, 0),
    summary_tokens: segments.length === 0 ? 0 : (await loadTokenCounter()).count(summaryOf(segments)),
  };
}

function titleOfCopy(title: string | undefined): string | undefined {
  return title === undefined ? undefined : `Copy of ${title}`.slice(0, MAX_TITLE_LENGTH).toWellFormed();
}

function contextOf({ id, created_at }: Session, original: SessionContext, isKept: boolean): SessionContext {
  const { initial_context, current } = isKept ? original : { initial_context: {}, current: {} };
  return { session_id: id, initial_context, current, revision: 1, updated_at: created_at };
}

/** Copies messages with positions, times and tokens; ids and long contents are new. */
async function copyMessages(ctx: Context, from: Session, to: Session): Promise<void> {
  const deadline = performance.now() + COPYING_MS;
  for await (const messages of readMessages(ctx, from)) {
    await inParallel(inBatches(messages, MESSAGES_PER_WRITE), CONCURRENCY, async (batch) => {
      if (performance.now() > deadline) throw tooLong(from);
      const writes = await Promise.all(batch.map((message) => copyMessage(ctx, message, to)));
      await ctx.ports.records.write(...writes);
    });
  }
}

async function copyMessage(ctx: Context, message: SessionMessage, to: Session) {
  const id = ctx.ids("message");
  const stored = await storeContent(ctx, messageContentKey(to, id, message.content), message.content);
  return putMessage({ ...message, id, session_id: to.id, copy_of: message.id }, stored);
}

function tooLong({ id, message_count }: Session): ServiceError {
  return new ServiceError(
    "PAYLOAD_TOO_LARGE",
    "The session is too long to be copied in one request. Duplicate it without its messages.",
    { session_id: id, message_count },
  );
}
