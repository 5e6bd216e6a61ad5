import { createHash } from "node:crypto";
import { countSessionBegun, countSessionEnded } from "../agents/figures.ts";
import { rounded } from "../kernel/rounded.ts";
import type { OrgHome } from "../platform/context.ts";
import type { RecordStore } from "../platform/ports.ts";
import { percentile, sumCounters } from "../stats/histogram.ts";
import {
  countEvent,
  DEPLOYMENT,
  type Granularity,
  type Point,
  readSeries,
  readTotal,
  type Subject,
} from "../stats/series.ts";
import type { Session, SessionMessage } from "./session.ts";

/** The longest range that is asked for, and a day for its first one. */
const KEPT_DAYS = 32;

/** Counter of the sessions of all organizations together. */
const BEGUN_ANYWHERE: Subject = { scope: DEPLOYMENT, name: "sessions" };

type Counter = Pick<OrgHome, "rollups" | "clock" | "org">;

/** Whose sessions: all of an organization's, a user's, an agent's, or those of one with the other. */
export interface FigureScope {
  user_id?: string | undefined;
  agent_id?: string | undefined;
}

/** Counters of sessions and their messages, with a histogram of the times from a user's message to the answer. */
function sessionsOf(org: string, { user_id, agent_id }: FigureScope): Subject {
  if (user_id === undefined && agent_id === undefined) return { scope: org, name: "sessions" };
  // Ids of clients are of any length and hold any character; a key is not and does not.
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

/** Counts a session that was begun or duplicated. */
export function countSessionStarted(counter: Counter, session: Session): void {
  count(counter, session, { begun: 1 });
  countEvent(counter.rollups, BEGUN_ANYWHERE, counter.clock(), { begun: 1 }, undefined, KEPT_DAYS);
  countSessionBegun(counter, session.agent_id);
}

/** Counts a message that was added to a session; copies are not. */
export function countMessage(counter: Counter, session: Session, message: SessionMessage): void {
  const { role, tokens, response_ms } = message;
  const counts = { messages: 1, [`${role}_messages`]: 1, tokens };
  count(counter, session, response_ms === undefined ? counts : { ...counts, responses: 1 }, response_ms);
}

/** Counts a session that takes no more messages: closed, or archived while it was active. `endedAt` is ISO. */
export function countSessionClosed(counter: Counter, session: Session, endedAt: string): void {
  const session_ms = Math.max(0, Date.parse(endedAt) - Date.parse(session.created_at));
  count(counter, session, { ended: 1, session_ms });
  countSessionEnded(counter, session.agent_id, session_ms);
}

/** How many sessions were ever begun in the deployment, those duplicated included. */
export async function countSessionsBegun(records: RecordStore): Promise<number> {
  return (await readTotal(records, BEGUN_ANYWHERE)).begun ?? 0;
}

/** Of the hours or days from `from` (epoch milliseconds) on in which anything happened, oldest first. */
export function readFigures(
  records: RecordStore,
  org: string,
  scope: FigureScope,
  granularity: Granularity,
  from: number,
): Promise<Point[]> {
  return readSeries(records, sessionsOf(org, scope), granularity, from);
}

/** What a stretch of time came to. Means and rates are null where there was nothing to take them of. */
export interface SessionFigures {
  begun: number;
  ended: number;
  messages: number;
  tokens: number;
  /** Of the sessions that ended, in seconds. */
  avg_session_duration: number | null;
  avg_response_time_ms: number | null;
  p95_response_time_ms: number | null;
  /** Share of users' messages that an assistant answered before the user wrote again, 0..1. */
  success_rate: number | null;
  messages_per_session: number | null;
  tokens_per_message: number | null;
}

export function figuresOf(points: Pick<Point, "counters">[]): SessionFigures {
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
