import { createHash } from "node:crypto";
import { rounded } from "../../kernel/math.ts";
import type { RecordStore } from "../../ports/record-store.ts";
import type { OrgRuntime } from "../../runtime/context.ts";
import { percentile, sumCounters } from "../../runtime/stats/histogram.ts";
import {
  countEvent,
  DEPLOYMENT,
  type Granularity,
  type Point,
  readSeries,
  readTotal,
  type Subject,
} from "../../runtime/stats/series.ts";
import { countAgentSession } from "../agents/metrics.ts";
import type { Session, SessionMessage } from "./session.ts";

/** Days for which counters are kept: the longest range that a request can ask for, plus a day. */
const KEPT_DAYS = 32;

/** Counter of the sessions of all organizations. */
const BEGUN_ANYWHERE: Subject = { scope: DEPLOYMENT, name: "sessions" };

type Counter = Pick<OrgRuntime, "rollups" | "clock" | "org">;

/** The sessions counted: an organization's, a user's, an agent's, or those of a user with an agent. */
export interface MetricScope {
  user_id?: string | undefined;
  agent_id?: string | undefined;
}

/** The subject of the counters of sessions and messages, with a histogram of response times. */
function sessionsOf(org: string, { user_id, agent_id }: MetricScope): Subject {
  if (user_id === undefined && agent_id === undefined) return { scope: org, name: "sessions" };
  // Clients' ids may have any length and characters; keys may not.
  const digest = createHash("sha256").update(JSON.stringify([user_id ?? null, agent_id ?? null]));
  return { scope: org, name: `sessions#${digest.digest("base64url")}` };
}

function count(
  { rollups, clock, org }: Counter,
  { user_id, agent_id }: Pick<Session, "user_id" | "agent_id">,
  counts: Record<string, number>,
  responseMs?: number,
): void {
  for (const scope of [{}, { user_id }, { agent_id }, { user_id, agent_id }]) {
    countEvent(rollups, sessionsOf(org, scope), clock(), counts, responseMs, KEPT_DAYS);
  }
}

/** Counts a started or duplicated session. */
export function countSessionStarted(counter: Counter, session: Session): void {
  count(counter, session, { begun: 1 });
  countEvent(counter.rollups, BEGUN_ANYWHERE, counter.clock(), { begun: 1 }, undefined, KEPT_DAYS);
  countAgentSession(counter, session.agent_id, { begun: 1 });
}

/** Counts an added message; copies are not counted. */
export function countMessage(counter: Counter, session: Session, message: SessionMessage): void {
  const { role, tokens, response_ms } = message;
  const counts = { messages: 1, [`${role}_messages`]: 1, tokens };
  count(counter, session, response_ms === undefined ? counts : { ...counts, responses: 1 }, response_ms);
}

/** Counts a session that was closed, or archived while active. `endedAt` is ISO 8601. */
export function countSessionClosed(counter: Counter, session: Session, endedAt: string): void {
  const session_ms = Math.max(0, Date.parse(endedAt) - Date.parse(session.created_at));
  count(counter, session, { ended: 1, session_ms });
  countAgentSession(counter, session.agent_id, { ended: 1 }, session_ms);
}

/** Returns the number of sessions ever started in the deployment, including duplicates. */
export async function countSessionsBegun(records: RecordStore): Promise<number> {
  return (await readTotal(records, BEGUN_ANYWHERE)).begun ?? 0;
}

/** Returns the hours or days with activity since `from` (epoch milliseconds), oldest first. */
export function readMetrics(
  records: RecordStore,
  org: string,
  scope: MetricScope,
  granularity: Granularity,
  from: number,
): Promise<Point[]> {
  return readSeries(records, sessionsOf(org, scope), granularity, from);
}

/**
 * Returns the statistics of a time range. Means and rates are null without data. The duration is that of ended
 * sessions, in seconds; the success rate is the share of user messages that were answered before the next user message,
 * 0..1.
 */
export function metricsOf(points: Pick<Point, "counters">[]) {
  const counters = sumCounters(points.map((point) => point.counters));
  const { begun = 0, ended = 0, messages = 0, tokens = 0, responses = 0, user_messages = 0 } = counters;
  const p95 = percentile(counters, 0.95);
  return {
    begun,
    ended,
    messages,
    tokens,
    avg_session_duration: mean((counters.session_ms ?? 0) / 1000, ended),
    avg_response_time_ms: mean(counters.duration_ms ?? 0, responses),
    p95_response_time_ms: p95 === null ? null : rounded(p95, 3),
    success_rate: mean(responses, user_messages),
    messages_per_session: mean(messages, begun),
    tokens_per_message: mean(tokens, messages),
  };
}

function mean(sum: number, count: number): number | null {
  return count === 0 ? null : rounded(sum / count, 3);
}
