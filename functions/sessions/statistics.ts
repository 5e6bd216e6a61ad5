import { runVerificationTask } from "../../shared/domain/memory/verification-task.ts";
import { getSession } from "../../shared/domain/sessions/change.ts";
import {
  type Digest,
  findDigest,
  moodOf,
  type Reading,
  readOn,
  replaceDigest,
  slowResponse,
} from "../../shared/domain/sessions/digest.ts";
import { readMessages } from "../../shared/domain/sessions/message-records.ts";
import { type MetricScope, metricsOf, readMetrics } from "../../shared/domain/sessions/metrics.ts";
import { countActive, limitedToViewer, listRecent } from "../../shared/domain/sessions/records.ts";
import { compressionRatio, type Session } from "../../shared/domain/sessions/session.ts";
import { retentionOf } from "../../shared/domain/sessions/summary.ts";
import { readSegments } from "../../shared/domain/sessions/summary-records.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../shared/kernel/durations.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import { rounded } from "../../shared/kernel/math.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { tryWrite } from "../../shared/ports/conflicts.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type { Granularity, Point } from "../../shared/runtime/stats/series.ts";
import type * as schemas from "./schemas.ts";

const MEGABYTE = 1024 * 1024;
const MAIN_TOPICS = 5;
const TOPICS_SHOWN = 10;
/** Time limit for models. Afterwards rules, which are a hundred times as fast, judge the remaining messages. */
const MODEL_LIMIT_MS = 10_000;
/** Time limit for reading messages; the results are stored, so that the next request continues. */
const READING_LIMIT_MS = 22_000;
/** Results for fewer new messages are not stored; the next request reads these messages again. */
const MIN_STORED_MESSAGES = 20;

/** Returns the statistics of a session. Each message is read once; the results are kept in the session's digest. */
export async function readSessionStats(ctx: Context, id: string) {
  const [session, known, segments] = await Promise.all([
    getSession(ctx, id),
    findDigest(ctx.ports.records, ctx.org, id),
    readSegments(ctx, id),
  ]);
  const digest = await updateDigest(ctx, session, known);
  const { message_count, user_messages, assistant_messages, total_tokens } = session;
  const { characters, responses, response_ms, bytes } = digest;
  const mood = moodOf(digest);
  return {
    session_id: id,
    duration: durationOf(session, digest),
    message_stats: {
      total_messages: message_count,
      user_messages,
      assistant_messages,
      avg_message_length: message_count === 0 ? 0 : rounded(characters / message_count, 2),
      total_tokens,
    },
    performance_metrics: {
      avg_response_time_ms: responses === 0 ? null : rounded(response_ms / responses, 2),
      p95_response_time_ms: slowResponse(digest),
      success_rate: successRate(session, responses),
    },
    context_stats: {
      compression_ratio: compressionRatio(session),
      context_efficiency: rounded(efficiencyOf(session, retentionOf(segments)), 4),
      memory_usage_mb: rounded(bytes / MEGABYTE, 6),
    },
    topic_analysis: topicsIn(digest),
    sentiment_analysis: {
      overall_sentiment: mood.overall.sentiment,
      overall_confidence: mood.overall.confidence,
      sentiment_timeline: mood.timeline,
    },
  };
}

/** Returns the digest of all messages. Throws SERVICE_UNAVAILABLE if the unread ones take longer than one request. */
async function updateDigest(ctx: Context, session: Session, known: Digest): Promise<Digest> {
  const unread = session.message_count - known.through;
  if (unread <= 0) return known;
  const startedMs = performance.now();
  const reading: Reading = {
    ask: (task, input, limits) => runVerificationTask(ctx, task, input, limits),
    deadline: startedMs + MODEL_LIMIT_MS,
    org: ctx.org,
    unread,
  };
  let digest = known;
  for await (const messages of readMessages(ctx, session, { from: known.through + 1 })) {
    digest = await readOn(digest, messages, reading);
    if (performance.now() - startedMs > READING_LIMIT_MS) break;
  }
  // The write is refused if another request has stored a newer digest.
  if (digest.through - known.through >= MIN_STORED_MESSAGES) await tryWrite(ctx, replaceDigest(session, known, digest));
  if (digest.through >= session.message_count) return digest;
  throw new ServiceError(
    "SERVICE_UNAVAILABLE",
    "The session is long and is still being read. Send the request again to continue.",
    { session_id: session.id, messages_read: digest.through, message_count: session.message_count },
  );
}

/** A session lasts from its creation, or a copy's first message, until it is closed, or else to its newest message. */
function durationOf(session: Session, { first_message_at = session.created_at }: Digest) {
  const { created_at, closed_at, last_message_at } = session;
  const start = first_message_at < created_at ? first_message_at : created_at;
  const end = closed_at ?? last_message_at ?? null;
  const durationMs = end === null ? 0 : Math.max(0, Date.parse(end) - Date.parse(start));
  return { start, end, duration_minutes: rounded(durationMs / MINUTE_MS, 2) };
}

/**
 * Returns the share of user messages that the assistant answered before the next one. The newest message of an active
 * session is not counted while it has no answer.
 */
function successRate({ user_messages, status, last_role }: Session, responses: number): number | null {
  const isWaiting = status === "active" && last_role === "user";
  const concluded = user_messages - (isWaiting ? 1 : 0);
  return concluded === 0 ? null : rounded(responses / concluded, 4);
}

/**
 * Returns the share of the session's information that the context contains: all of the messages that are not compacted,
 * and the share `retention` of the others.
 */
function efficiencyOf({ total_tokens, folded_tokens }: Session, retention: number): number {
  return total_tokens === 0 ? 1 : (total_tokens - folded_tokens * (1 - retention)) / total_tokens;
}

/** Shares are relative to the shown topics and sum to 1. */
function topicsIn({ topics }: Digest) {
  const shown = topics.slice(0, TOPICS_SHOWN);
  const totalWeight = shown.reduce((sum, { weight }) => sum + weight, 0);
  return {
    main_topics: shown.slice(0, MAIN_TOPICS).map(({ name }) => name),
    topic_distribution: Object.fromEntries(shown.map(({ name, weight }) => [name, rounded(weight / totalWeight, 4)])),
  };
}

/** A time range as a series of points of equal length; the last point is the current hour or day. */
interface Range {
  granularity: Granularity;
  pointMs: number;
  points: number;
}

const RANGES: Record<Input<typeof schemas.ReadAnalytics>["time_range"], Range> = {
  day: { granularity: "hour", pointMs: HOUR_MS, points: 24 },
  week: { granularity: "day", pointMs: DAY_MS, points: 7 },
  month: { granularity: "day", pointMs: DAY_MS, points: 30 },
};

/** Returns the session statistics of a time range. Reads counters that each event updates, instead of all sessions. */
export async function readAnalytics(ctx: Context, query: Input<typeof schemas.ReadAnalytics>) {
  const { time_range, limit, ...asked } = query;
  const scope = limitedToViewer(ctx, asked);
  const range = RANGES[time_range];
  const from = beginningOf(range, ctx.clock());
  const since = timestamp(from);
  await ctx.rollups.flush();
  const [series, active_sessions, recent_sessions] = await Promise.all([
    readPoints(ctx, scope, range, from),
    countActive(ctx, scope, since),
    listRecent(ctx, scope, since, limit),
  ]);
  const { begun, ended, messages, tokens, avg_session_duration, ...performance_metrics } = metricsOf(series);
  return {
    time_range,
    from: since,
    to: timestamp(ctx.clock()),
    summary: {
      total_sessions: begun,
      active_sessions,
      closed_sessions: ended,
      total_messages: messages,
      avg_session_duration,
      total_tokens_used: tokens,
    },
    performance_metrics,
    series: series.map(present),
    recent_sessions,
  };
}

/** Returns the start of a range in epoch milliseconds. Hours and days start as in UTC. */
function beginningOf({ pointMs, points }: Range, now: number): number {
  return (Math.floor(now / pointMs) - points + 1) * pointMs;
}

/** Returns all points of the range, including those without activity. */
async function readPoints(
  { ports, org }: Context,
  scope: MetricScope,
  { granularity, pointMs, points }: Range,
  from: number,
): Promise<Point[]> {
  const found = await readMetrics(ports.records, org, scope, granularity, from);
  const known = new Map(found.map((point) => [point.at, point]));
  return Array.from({ length: points }, (_, index) => {
    const at = timestamp(from + index * pointMs);
    return known.get(at) ?? { at, counters: {} };
  });
}

function present(point: Point) {
  const { begun, ended, messages, tokens } = metricsOf([point]);
  return { at: point.at, sessions_started: begun, sessions_closed: ended, messages, tokens };
}
