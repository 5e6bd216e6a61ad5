import type { CompressionOptions } from "../../shared/domain/compression/engine.ts";
import { runVerificationTask } from "../../shared/domain/memory/verification-task.ts";
import { admitTexts } from "../../shared/domain/sessions/admit-texts.ts";
import { getSessionWithContext, refuseClosed } from "../../shared/domain/sessions/change.ts";
import { compactContext, planCompression } from "../../shared/domain/sessions/compaction.ts";
import { newestWithin } from "../../shared/domain/sessions/message-records.ts";
import { findPreferences, type RememberedPreference } from "../../shared/domain/sessions/preferences.ts";
import { replaceContext } from "../../shared/domain/sessions/records.ts";
import {
  contextTokens,
  type Session,
  type SessionContext,
  type SessionMessage,
} from "../../shared/domain/sessions/session.ts";
import {
  bounded,
  type ConversationState,
  NOTHING_SAID,
  readStateTask,
  SessionStateSchema,
  TOPIC_MESSAGES,
} from "../../shared/domain/sessions/state.ts";
import {
  keyPointsIn,
  paragraphsOf,
  retentionOf,
  type Segment,
  summaryOf,
} from "../../shared/domain/sessions/summary.ts";
import {
  findState,
  type KnownState,
  readSegments,
  replaceState,
} from "../../shared/domain/sessions/summary-records.ts";
import { gistTask, readStateByRuleTask } from "../../shared/domain/sessions/text-tasks.ts";
import { factsConcerning } from "../../shared/domain/sessions/user-facts.ts";
import { fits } from "../../shared/kernel/answer-size.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { invalid, ServiceError } from "../../shared/kernel/errors.ts";
import { rounded } from "../../shared/kernel/math.ts";
import { isObject, mergePatch } from "../../shared/kernel/objects.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { beingChanged, retryOnConflict, tryWrite } from "../../shared/ports/conflicts.ts";
import type { JsonObject } from "../../shared/ports/json.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { each, metadata as freeForm } from "../../shared/runtime/schemas/fields.ts";
import { runTextTask } from "../../shared/runtime/text-work/run.ts";
import type * as schemas from "./schemas.ts";
import { userOf } from "./service.ts";

/** Maximum number of preferences from memories. */
const MAX_PREFERENCES = 5;
/** A preference is one or two sentences; a longer text is cut. */
const MAX_PREFERENCE_CHARACTERS = 500;
/** Maximum tokens of new messages that a model reads, and its time limit; the rules read the rest. */
const MAX_READ_BY_MODEL = 6_000;
const MODEL_TIMEOUT_MS = 8_000;

/**
 * The context that a model needs to continue a session: at most one window, everything else summarized. Throws
 * PAYLOAD_TOO_LARGE if the window exceeds a response.
 */
export async function readContext(ctx: Context, id: string) {
  const found = await getSessionWithContext(ctx, id);
  const session = await compactContext(ctx, found.session);
  const remaining = Math.max(0, session.config.context_window - session.summary_tokens);
  const [segments, known, history, remembered] = await Promise.all([
    session.folded_messages === 0 ? [] : readSegments(ctx, id),
    findState(ctx, id),
    newestWithin(ctx, session, session.folded_messages + 1, remaining),
    findPreferences(ctx, session.user_id, MAX_PREFERENCES),
  ]);
  refuseTooWide(session, segments, history);
  const topic = history.slice(-TOPIC_MESSAGES).map(({ content }) => content);
  const [{ state, gist }, user_facts] = await Promise.all([
    updateState(ctx, session, known, history),
    factsConcerning(ctx, session.user_id, topic, remaining - tokensOf(history)),
  ]);
  const { user_preferences, session_state, variables } = clientsPart(found.context.current);
  return {
    session_id: id,
    context: {
      conversation_history: history.map(({ role, content, created_at, occurred_at = created_at }) => ({
        role,
        content,
        timestamp: occurred_at,
      })),
      user_preferences: {
        ...user_preferences,
        from_session: state.preferences,
        from_memories: remembered.map(shortened),
      },
      user_facts,
      session_state: { ...stateOf(state), ...session_state },
      compressed_context: compressedContext(session, segments, gist),
      variables,
    },
    context_stats: statsOf(session, segments, tokensOf(history)),
  };
}

function refuseTooWide({ id, config }: Session, segments: Segment[], history: SessionMessage[]): void {
  if (fits([summaryOf(segments), history])) return;
  throw new ServiceError(
    "PAYLOAD_TOO_LARGE",
    "The context is too large for a response. Reduce config.context_window, or compress the context.",
    { session_id: id, context_window: config.context_window },
  );
}

function shortened({ id, content }: RememberedPreference): RememberedPreference {
  const isShort = content.length <= MAX_PREFERENCE_CHARACTERS;
  return { id, content: isShort ? content : `${content.slice(0, MAX_PREFERENCE_CHARACTERS).toWellFormed()}…` };
}

function tokensOf(messages: SessionMessage[]): number {
  return messages.reduce((sum, { tokens }) => sum + tokens, 0);
}

function stateOf({ current_topic, open_issues, resolved_issues, pending_actions }: ConversationState) {
  return { current_topic, open_issues, resolved_issues, pending_actions };
}

/**
 * Extends the conversation's state with new messages and stores it, so that each message is read once. Of
 * concurrent requests, only one stores it, and all respond.
 */
async function updateState(ctx: Context, session: Session, known: KnownState | undefined, history: SessionMessage[]) {
  const before = known ?? { through: 0, state: NOTHING_SAID };
  const last = history.at(-1);
  if (last === undefined || last.position <= before.through) return before;
  const { config, folded_messages } = session;
  const isWhole = config.compression_enabled && folded_messages === 0;
  const after: KnownState = {
    through: last.position,
    state: await readNew(ctx, before, history),
    gist: isWhole
      ? await runTextTask(gistTask, { messages: history, context_window: config.context_window }, ctx)
      : undefined,
  };
  await tryWrite(ctx, replaceState(session, known, after));
  return after;
}

/** New messages are read by the model, except those beyond the limit. */
async function readNew(ctx: Context, { through, state }: KnownState, history: SessionMessage[]) {
  const read = history.filter(({ position }) => position <= through);
  const unread = history.slice(read.length);
  const last = unread.at(-1);
  const isTooOld = (message: SessionMessage) =>
    last !== undefined && last.tokens_before - message.tokens_before > MAX_READ_BY_MODEL;
  const forRules = unread.filter(isTooOld);
  const messages = unread.slice(forRules.length);
  const earlier = [...read, ...forRules].slice(-TOPIC_MESSAGES);
  const previous = await runTextTask(
    readStateByRuleTask,
    { previous: state, messages: forRules, before: read.at(-1) },
    ctx,
  );
  const reading = { previous, earlier, messages };
  const { value } = await runVerificationTask(ctx, readStateTask, reading, { timeoutMs: MODEL_TIMEOUT_MS });
  return bounded(value);
}

const ClientsState = SessionStateSchema.pick(
  each(true, "current_topic", "open_issues", "resolved_issues", "pending_actions"),
).partial();

/**
 * The client's part of the context. The client's values of state fields take precedence if they have the right shape;
 * values of another shape become variables.
 */
function clientsPart({ user_preferences, session_state, ...rest }: JsonObject) {
  const preferences = isObject(user_preferences) ? user_preferences : undefined;
  const state = ClientsState.loose().safeParse(session_state);
  const variables: JsonObject = { ...rest };
  if (user_preferences !== undefined && !preferences) variables.user_preferences = user_preferences;
  if (session_state !== undefined && !state.success) variables.session_state = session_state;
  return { user_preferences: preferences ?? {}, session_state: state.success ? state.data : {}, variables };
}

/** The summary of messages that left the window; before that, a summary of those in it. */
function compressedContext({ config, summary_tokens, folded_tokens }: Session, segments: Segment[], gist?: Segment) {
  if (segments.length > 0) {
    const compression_ratio = rounded(summary_tokens / folded_tokens, 4);
    return { summary: paragraphsOf(segments), key_points: keyPointsIn(segments), compression_ratio };
  }
  if (!config.compression_enabled || !gist) return { summary: "", key_points: [], compression_ratio: 1 };
  const compression_ratio = rounded(gist.tokens / gist.original_tokens, 4);
  return { summary: paragraphsOf([gist]), key_points: keyPointsIn([gist]), compression_ratio };
}

/** The size of the context relative to all messages, and the share of their information that it keeps. */
function statsOf(session: Session, segments: Segment[], verbatim: number) {
  const { total_tokens, folded_tokens, summary_tokens } = session;
  const compressed_tokens = summary_tokens + verbatim;
  const kept = folded_tokens * retentionOf(segments) + verbatim;
  return {
    original_tokens: total_tokens,
    compressed_tokens,
    compression_ratio: total_tokens === 0 ? 1 : rounded(compressed_tokens / total_tokens, 4),
    retention_percentage: total_tokens === 0 ? 100 : rounded((100 * kept) / total_tokens, 2),
  };
}

type ContextUpdate = Input<typeof schemas.UpdateContext>;

/** Merges updates into the client's context and, if requested, compresses the context now. */
export async function updateContext(ctx: Context, id: string, given: ContextUpdate) {
  const { compression_options } = given;
  const context_updates = await admitTexts(ctx, given.context_updates, () => userOf(ctx, id), id);
  const update = async () => {
    const { session, context } = await getSessionWithContext(ctx, id);
    refuseClosed(session);
    const after: SessionContext = {
      ...context,
      current: merged(context.current, context_updates),
      revision: context.revision + 1,
      updated_at: timestamp(ctx.clock()),
    };
    const plan = compression_options?.enabled
      ? await planCompression(ctx, session, optionsOf(compression_options))
      : { session, segments: await readSegments(ctx, id), writes: [] };
    await ctx.ports.records.write(replaceContext(session, context, after), ...plan.writes);
    const verbatim = contextTokens(plan.session) - plan.session.summary_tokens;
    return {
      session_id: id,
      updated_context: after.current,
      compression_result: statsOf(plan.session, plan.segments, verbatim),
    };
  };
  return retryOnConflict(update, { exhausted: () => beingChanged("session", id) });
}

function optionsOf(given: NonNullable<ContextUpdate["compression_options"]>): CompressionOptions {
  const { method, retention_percentage } = given;
  return { ...method, min_retention: retention_percentage === undefined ? undefined : retention_percentage / 100 };
}

function merged(current: JsonObject, updates: JsonObject): JsonObject {
  const after = mergePatch(current, updates);
  const checked = freeForm.safeParse(after);
  if (checked.success) return checked.data;
  const problem = checked.error.issues.map(({ message }) => message).join("; ");
  throw invalid({ field: "context_updates", problem: `together with the current context: ${problem}` });
}
