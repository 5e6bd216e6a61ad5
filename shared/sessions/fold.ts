import type { CompressionOptions } from "../compression/engine.ts";
import { loadTokenCounter, type TokenCounter } from "../compression/tokens.ts";
import { ServiceError } from "../kernel/errors.ts";
import type { ViewerHome } from "../platform/context.ts";
import { ConditionFailed } from "../platform/errors.ts";
import type { Write } from "../platform/ports.ts";
import { runTextTask } from "../text-work/run.ts";
import { getSession } from "./change.ts";
import {
  type Folded,
  findState,
  type KnownState,
  oldestWithin,
  readSegments,
  replaceSegments,
  replaceState,
} from "./records.ts";
import { contextTokens, type Session, type SessionMessage } from "./session.ts";
import { NOTHING_SAID } from "./state.ts";
import { budgetOf, type Segment, summaryOf } from "./summary.ts";
import { compressContextTask, foldMessagesTask, readStateByRuleTask } from "./text-tasks.ts";

/** Chunks that one request folds; what is left is folded by the next. */
const MOST_CHUNKS = 8;
/** Tokens of messages that one request compresses at once. */
const MOST_TOKENS_AT_ONCE = 65_536;
/** Share of what is not in the summary that stays as it is when a client has the context compressed. */
const RECENT_SHARE = 1 / 4;
const FEWEST_RECENT = 2;
/** Share of the window that a summary may take that a client asked for. */
const MOST_SUMMARY_SHARE = 1 / 2;
/** However wide the window: a longer one would not fit into its record, nor be made again within one request. */
const MOST_SUMMARY_TOKENS = 32_768;

/** A session's summary before and after something is folded into it. */
interface Folding {
  session: Session;
  segments: { before: Segment[]; after: Segment[] };
  state: { before: KnownState | undefined; after: KnownState | undefined };
  counter: TokenCounter;
}

/**
 * Moves the oldest messages into the summary until the context fits into the window, a bounded chunk after the other, so
 * that each message is summed up once and the cost per message stays the same however long a session gets. Does nothing
 * where compression is off or there is room. Answers the session as it is then.
 */
export async function foldWhatIsDue(ctx: ViewerHome, session: Session): Promise<Session> {
  if (!isDue(session)) return session;
  let folding = await beginFolding(ctx, session);
  for (let chunk = 0; chunk < MOST_CHUNKS && isDue(folding.session); chunk++) folding = await foldChunk(ctx, folding);
  try {
    await ctx.ports.records.write(...writesOf(session, folding));
    return folding.session;
  } catch (error) {
    // Another request folds the same messages: one of them suffices.
    if (error instanceof ConditionFailed) return getSession(ctx, session.id);
    throw error;
  }
}

function isDue(session: Session): boolean {
  const { status, config, message_count, folded_messages } = session;
  if (status !== "active" || !config.compression_enabled || folded_messages === message_count) return false;
  return contextTokens(session) > config.context_window;
}

async function beginFolding(ctx: ViewerHome, session: Session): Promise<Folding> {
  const [segments, state, counter] = await Promise.all([
    readSegments(ctx, session.id),
    findState(ctx, session.id),
    loadTokenCounter(),
  ]);
  return { session, segments: { before: segments, after: segments }, state: { before: state, after: state }, counter };
}

async function foldChunk(ctx: ViewerHome, folding: Folding): Promise<Folding> {
  const { session, segments } = folding;
  const budget = budgetOf(session.config.context_window);
  const messages = await oldestWithin(ctx, session, session.folded_messages + 1, budget.chunk);
  const after = await runTextTask(foldMessagesTask, { segments: segments.after, messages, budget }, ctx);
  return withFolded(ctx, folding, after, messages);
}

async function withFolded(
  ctx: ViewerHome,
  { session, segments, state, counter }: Folding,
  after: Segment[],
  messages: SessionMessage[],
): Promise<Folding> {
  const folded: Folded = {
    folded_messages: messages.at(-1)?.position ?? session.folded_messages,
    folded_tokens: session.folded_tokens + messages.reduce((sum, { tokens }) => sum + tokens, 0),
    summary_tokens: counter.count(summaryOf(after)),
  };
  return {
    session: { ...session, ...folded },
    segments: { before: segments.before, after },
    state: { before: state.before, after: await readOn(ctx, state.after, messages) },
    counter,
  };
}

/** What leaves the window is read before it goes: by the built-in rules, as a message must not wait for a model. */
async function readOn(
  ctx: ViewerHome,
  known: KnownState | undefined,
  messages: SessionMessage[],
): Promise<KnownState | undefined> {
  const { through, state } = known ?? { through: 0, state: NOTHING_SAID };
  const unread = messages.filter(({ position }) => position > through);
  const last = unread.at(-1);
  if (last === undefined) return known;
  const read = await runTextTask(readStateByRuleTask, { previous: state, messages: unread }, ctx);
  return { through: last.position, state: read };
}

function writesOf(before: Session, { session, segments, state }: Folding): Write[] {
  const { folded_messages, folded_tokens, summary_tokens } = session;
  const writes = replaceSegments(before, segments, { folded_messages, folded_tokens, summary_tokens });
  const { after } = state;
  return after === state.before || after === undefined
    ? writes
    : [...writes, replaceState(before, state.before, after)];
}

/**
 * What compressing a session's whole context would write: all but its newest messages become one summary, made as the
 * options say; the messages themselves stay. No writes where nothing is saved.
 */
export async function planCompression(
  ctx: ViewerHome,
  session: Session,
  options: CompressionOptions,
): Promise<{ session: Session; segments: Segment[]; writes: Write[] }> {
  const folding = await beginFolding(ctx, session);
  const { segments } = folding;
  const messages = await olderMessages(ctx, session);
  const share = Math.max(1, Math.floor(session.config.context_window * MOST_SUMMARY_SHARE));
  const most = Math.min(MOST_SUMMARY_TOKENS, share);
  const segment = await compressOrFail(ctx, session, { segments: segments.before, messages, options, most });
  if (!segment) return { session, segments: segments.before, writes: [] };
  const done = await withFolded(ctx, folding, [segment], messages);
  return { session: done.session, segments: done.segments.after, writes: writesOf(session, done) };
}

async function compressOrFail(
  ctx: ViewerHome,
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

/** The messages that are not in the summary, but for the newest. */
async function olderMessages(ctx: ViewerHome, session: Session): Promise<SessionMessage[]> {
  const { folded_messages, folded_tokens, total_tokens, message_count } = session;
  const older = message_count - folded_messages - FEWEST_RECENT;
  if (older <= 0) return [];
  const tokens = Math.min(MOST_TOKENS_AT_ONCE, Math.floor((total_tokens - folded_tokens) * (1 - RECENT_SHARE)));
  const messages = await oldestWithin(ctx, session, folded_messages + 1, tokens);
  return messages.slice(0, older);
}
