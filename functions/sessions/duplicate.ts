import type * as z from "zod";
import { loadTokenCounter } from "../../shared/compression/tokens.ts";
import { countActivity } from "../../shared/identity/activity.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import { inBatches, inParallel } from "../../shared/kernel/parallel.ts";
import { storeContent } from "../../shared/memory/content.ts";
import type { Context } from "../../shared/platform/context.ts";
import { messageContentKey } from "../../shared/sessions/archived-messages.ts";
import { getSessionWithContext } from "../../shared/sessions/change.ts";
import { type DueChore, finishChore, putChore } from "../../shared/sessions/chores.ts";
import { countSessionStarted } from "../../shared/sessions/figures.ts";
import {
  findState,
  type KnownState,
  putMessage,
  putSegment,
  putSession,
  readMessages,
  readSegments,
  replaceState,
} from "../../shared/sessions/records.ts";
import type { Session, SessionContext, SessionMessage } from "../../shared/sessions/session.ts";
import { type Segment, summaryOf } from "../../shared/sessions/summary.ts";
import type * as schemas from "./schemas.ts";
import { MAX_TITLE_LENGTH } from "./schemas.ts";
import { present } from "./service.ts";

type Input<Schema extends z.ZodType> = z.output<Schema>;

/** Messages of one transaction: with content of the greatest length they stay below its 4 MB. */
const MESSAGES_AT_ONCE = 40;
const CONCURRENCY = 4;
/** A copy that is not there by then is given up: the request would end before it. */
const COPYING_MS = 22_000;
/** What is left of a copy that failed goes this much later, when no request can still be at it. */
const PURGE_AFTER_MS = 3_600_000;

/** All that a copy takes from its original, as it was at one moment. */
interface Original {
  session: Session;
  context: SessionContext;
  segments: Segment[];
  state: KnownState | undefined;
}

/**
 * Makes a new session from another one, whatever its status, with its messages and context unless told otherwise. The
 * session's own record comes last: until then there is nothing to see of the copy, and if it never comes the sweep
 * removes what was copied. Throws PAYLOAD_TOO_LARGE for a session that is too long to be copied in one request.
 */
export async function duplicateSession(ctx: Context, id: string, options: Input<typeof schemas.DuplicateSession>) {
  const original = await readOriginal(ctx, id);
  const { include_messages, include_context } = options;
  const source = include_messages ? original : withoutMessages(original);
  const session = await copyOf(ctx, source, options.new_title);
  const leftovers = leftoversOf(ctx, session);
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

/** The summary before the session, so that it never tells of messages that the session has not. */
async function readOriginal(ctx: Context, id: string): Promise<Original> {
  const [segments, state] = await Promise.all([readSegments(ctx, id), findState(ctx, id)]);
  return { ...(await getSessionWithContext(ctx, id)), segments, state };
}

/** What was said is left behind, and with it what stands for it; where the conversation stood is context. */
function withoutMessages({ session, context, state }: Original): Original {
  const none = { message_count: 0, total_tokens: 0, user_messages: 0, assistant_messages: 0, system_messages: 0 };
  const { last_role: _role, last_message_at: _at, ...rest } = session;
  return {
    session: { ...rest, ...none },
    context,
    segments: [],
    state: state && { through: 0, state: state.state },
  };
}

async function copyOf(ctx: Context, { session, segments }: Original, new_title: string | undefined): Promise<Session> {
  const { agent_id, user_id, config, metadata, last_role, last_message_at } = session;
  const { message_count, total_tokens, user_messages, assistant_messages, system_messages } = session;
  const now = timestamp(ctx.clock());
  const title = new_title ?? titleOfCopy(session.title);
  return {
    id: ctx.ids("session"),
    org: ctx.org,
    agent_id,
    user_id,
    ...(title === undefined ? {} : { title }),
    config,
    metadata,
    status: "active",
    message_count,
    total_tokens,
    user_messages,
    assistant_messages,
    system_messages,
    ...(last_role === undefined ? {} : { last_role }),
    ...(last_message_at === undefined ? {} : { last_message_at }),
    folded_messages: segments.at(-1)?.to ?? 0,
    folded_tokens: segments.reduce((sum, { original_tokens }) => sum + original_tokens, 0),
    summary_tokens: segments.length === 0 ? 0 : (await loadTokenCounter()).count(summaryOf(segments)),
    created_at: now,
    updated_at: now,
    created_by: ctx.principal.id,
    version: 1,
  };
}

function titleOfCopy(title: string | undefined): string | undefined {
  return title === undefined ? undefined : `Copy of ${title}`.slice(0, MAX_TITLE_LENGTH).toWellFormed();
}

function leftoversOf(ctx: Context, { org, id: session_id }: Session): DueChore {
  return { what: "purge", org, session_id, messages: 0, due: timestamp(ctx.clock() + PURGE_AFTER_MS) };
}

function contextOf({ id, created_at }: Session, original: SessionContext, isKept: boolean): SessionContext {
  const { initial_context, current } = isKept ? original : { initial_context: {}, current: {} };
  return { session_id: id, initial_context, current, revision: 1, updated_at: created_at };
}

/** Copies messages with their places, times and tokens; ids and long content are the copy's own. */
async function copyMessages(ctx: Context, from: Session, to: Session): Promise<void> {
  const deadline = performance.now() + COPYING_MS;
  for await (const messages of readMessages(ctx, from)) {
    await inParallel(inBatches(messages, MESSAGES_AT_ONCE), CONCURRENCY, async (batch) => {
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
