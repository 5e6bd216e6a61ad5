import { ServiceError } from "../../kernel/errors.ts";
import { tryWrite } from "../../ports/conflicts.ts";
import type { Write } from "../../ports/record-store.ts";
import type { MemoryScope } from "../../runtime/context.ts";
import { runTextTask } from "../../runtime/text-work/run.ts";
import { loadTokenCounter, type TokenCounter } from "../compression/condensing/tokens.ts";
import type { CompressionOptions } from "../compression/engine.ts";
import { getSession } from "./change.ts";
import { oldestWithin } from "./message-records.ts";
import { contextTokens, type Session, type SessionMessage } from "./session.ts";
import { NOTHING_SAID } from "./state.ts";
import { budgetOf, type Segment, summaryOf } from "./summary.ts";
import {
  type Folded,
  findState,
  type KnownState,
  readSegments,
  replaceSegments,
  replaceState,
} from "./summary-records.ts";
import { compressContextTask, foldMessagesTask, readStateByRuleTask } from "./text-tasks.ts";

/** Chunks compacted per request; the next request continues. */
const MAX_CHUNKS = 8;
/** Message tokens compressed per request. */
const MAX_TOKENS_AT_ONCE = 65_536;
/** Share of the uncompacted messages that stay verbatim when a client requests compression. */
const RECENT_SHARE = 1 / 4;
const MIN_RECENT = 2;
/** Maximum share of the window for a summary that a client requests. */
const MAX_SUMMARY_SHARE = 1 / 2;
/** Limit for every window: a longer summary would not fit its record and could not be rebuilt within one request. */
const MAX_SUMMARY_TOKENS = 32_768;

/** A session's summary before and after a compaction. */
interface Compaction {
  session: Session;
  segments: { before: Segment[]; after: Segment[] };
  state: { before: KnownState | undefined; after: KnownState | undefined };
  counter: TokenCounter;
}

/**
 * Moves the oldest messages into the summary until the context fits the window, in bounded chunks, so that each message
 * is summarized once and the cost per message is constant. Does nothing if compression is off or there is enough space.
 * Returns the session.
 */
export async function compactContext(ctx: MemoryScope, session: Session): Promise<Session> {
  if (!isDue(session)) return session;
  let compaction = await beginCompaction(ctx, session);
  for (let chunk = 0; chunk < MAX_CHUNKS && isDue(compaction.session); chunk++)
    compaction = await compactChunk(ctx, compaction);
  // If the write is refused, another request has compacted the same messages.
  const isWritten = await tryWrite(ctx, ...writesOf(session, compaction));
  return isWritten ? compaction.session : getSession(ctx, session.id);
}

function isDue(session: Session): boolean {
  const { status, config, message_count, folded_messages } = session;
  if (status !== "active" || !config.compression_enabled || folded_messages === message_count) return false;
  return contextTokens(session) > config.context_window;
}

async function beginCompaction(ctx: MemoryScope, session: Session): Promise<Compaction> {
  const [segments, state, counter] = await Promise.all([
    readSegments(ctx, session.id),
    findState(ctx, session.id),
    loadTokenCounter(),
  ]);
  return { session, segments: { before: segments, after: segments }, state: { before: state, after: state }, counter };
}

async function compactChunk(ctx: MemoryScope, compaction: Compaction): Promise<Compaction> {
  const { session, segments } = compaction;
  const budget = budgetOf(session.config.context_window);
  const messages = await oldestWithin(ctx, session, session.folded_messages + 1, budget.chunk);
  const after = await runTextTask(foldMessagesTask, { segments: segments.after, messages, budget }, ctx);
  return withSummary(ctx, compaction, after, messages);
}

async function withSummary(
  ctx: MemoryScope,
  { session, segments, state, counter }: Compaction,
  after: Segment[],
  messages: SessionMessage[],
): Promise<Compaction> {
  const folded: Folded = {
    folded_messages: messages.at(-1)?.position ?? session.folded_messages,
    folded_tokens: session.folded_tokens + messages.reduce((sum, { tokens }) => sum + tokens, 0),
    summary_tokens: counter.count(summaryOf(after)),
  };
  return {
    session: { ...session, ...folded },
    segments: { before: segments.before, after },
    state: { before: state.before, after: await readState(ctx, state.after, messages) },
    counter,
  };
}

/**
 * Extends the conversation's state by messages that leave the window. It uses the built-in rules, because adding a
 * message must not wait for a model.
 */
async function readState(ctx: MemoryScope, known: KnownState | undefined, messages: SessionMessage[]) {
  const { through, state } = known ?? { through: 0, state: NOTHING_SAID };
  const unread = messages.filter(({ position }) => position > through);
  const last = unread.at(-1);
  if (last === undefined) return known;
  const read = await runTextTask(readStateByRuleTask, { previous: state, messages: unread }, ctx);
  return { through: last.position, state: read };
}

function writesOf(before: Session, { session, segments, state }: Compaction): Write[] {
  const { folded_messages, folded_tokens, summary_tokens } = session;
  const writes = replaceSegments(before, segments, { folded_messages, folded_tokens, summary_tokens });
  const { after } = state;
  return after === state.before || after === undefined
    ? writes
    : [...writes, replaceState(before, state.before, after)];
}

/**
 * Returns the writes that compress a session's whole context: all but the newest messages become one summary with the
 * given options; the messages are kept. No writes if that saves no tokens.
 */
export async function planCompression(
  ctx: MemoryScope,
  session: Session,
  options: CompressionOptions,
): Promise<{ session: Session; segments: Segment[]; writes: Write[] }> {
  const compaction = await beginCompaction(ctx, session);
  const { segments } = compaction;
  const messages = await olderMessages(ctx, session);
  const share = Math.max(1, Math.floor(session.config.context_window * MAX_SUMMARY_SHARE));
  const most = Math.min(MAX_SUMMARY_TOKENS, share);
  const segment = await compressOrFail(ctx, session, { segments: segments.before, messages, options, most });
  if (!segment) return { session, segments: segments.before, writes: [] };
  const compacted = await withSummary(ctx, compaction, [segment], messages);
  return { session: compacted.session, segments: compacted.segments.after, writes: writesOf(session, compacted) };
}

async function compressOrFail(
  ctx: MemoryScope,
  { id }: Session,
  compression: Parameters<typeof compressContextTask.run>[0],
): Promise<Segment | undefined> {
  try {
    return await runTextTask(compressContextTask, compression, ctx);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    ctx.logger.error("COMPRESSION_FAILED", { session: id, error });
    throw new ServiceError("COMPRESSION_FAILED", "The context could not be compressed. Try another method.");
  }
}

/** Returns the uncompacted messages except the newest ones, oldest first. */
async function olderMessages(ctx: MemoryScope, session: Session): Promise<SessionMessage[]> {
  const { folded_messages, folded_tokens, total_tokens, message_count } = session;
  const older = message_count - folded_messages - MIN_RECENT;
  if (older <= 0) return [];
  const tokens = Math.min(MAX_TOKENS_AT_ONCE, Math.floor((total_tokens - folded_tokens) * (1 - RECENT_SHARE)));
  const messages = await oldestWithin(ctx, session, folded_messages + 1, tokens);
  return messages.slice(0, older);
}
