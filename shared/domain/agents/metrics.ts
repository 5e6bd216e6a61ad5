import { looksLike } from "../../kernel/ids.ts";
import type { RecordStore } from "../../ports/record-store.ts";
import type { OrgRuntime, Runtime } from "../../runtime/context.ts";
import { percentile } from "../../runtime/stats/histogram.ts";
import { countEvent, readTotal, type Subject } from "../../runtime/stats/series.ts";

const RETENTION_DAYS = 30;

type Counter = Pick<Runtime, "rollups" | "clock"> & Pick<OrgRuntime, "org">;

/** Counters of an agent's sessions with a histogram of their duration. */
const sessionsOf = (org: string, agent: string): Subject => ({ scope: `${org}#${agent}`, name: "sessions" });
/** Counters of an agent's executions with a histogram of their duration. */
const executionsOf = (org: string, agent: string): Subject => ({ scope: `${org}#${agent}`, name: "executions" });

/** Counts the start or the end of an agent's session. Ignores a name that is no agent id; the agent may be unknown. */
export function countAgentSession(
  { rollups, clock, org }: Counter,
  agent: string,
  counts: { begun: 1 } | { ended: 1 },
  durationMs?: number,
): void {
  if (!looksLike("agent", agent)) return;
  countEvent(rollups, sessionsOf(org, agent), clock(), counts, durationMs, RETENTION_DAYS);
}

/** Counts an execution in memory; the rollups store it every few seconds. `durationMs` is in milliseconds. */
export function countExecution(
  { rollups, clock, org }: Counter,
  agent: string,
  { succeeded, ...amounts }: { succeeded: boolean; tokens: number; memories: number; skills: number },
  durationMs: number,
): void {
  const counts = { [succeeded ? "succeeded" : "failed"]: 1, ...amounts };
  countEvent(rollups, executionsOf(org, agent), clock(), counts, durationMs, RETENTION_DAYS);
}

/** All counts of one or several agents. */
export interface AgentCounts {
  sessions: Record<string, number>;
  executions: Record<string, number>;
}

/** Returns the counts of one agent; counts of the last seconds may be missing. */
export async function readAgentCounts(records: RecordStore, org: string, agent: string): Promise<AgentCounts> {
  const [sessions, executions] = await Promise.all([
    readTotal(records, sessionsOf(org, agent)),
    readTotal(records, executionsOf(org, agent)),
  ]);
  return { sessions, executions };
}

/** Durations are in seconds, of ended sessions; means and rates are null without data. */
export function usageOf({ sessions, executions }: AgentCounts) {
  return {
    total_sessions: sessions.begun ?? 0,
    avg_session_duration: ratio((sessions.duration_ms ?? 0) / 1000, sessions.ended),
    success_rate: ratio(executions.succeeded ?? 0, totalOf(executions)),
  };
}

/** Durations are in milliseconds; means are null without data. */
export function executionStatisticsOf({ executions }: AgentCounts) {
  const total = totalOf(executions);
  return {
    total,
    succeeded: executions.succeeded ?? 0,
    failed: executions.failed ?? 0,
    tokens: executions.tokens ?? 0,
    avg_execution_time_ms: ratio(executions.duration_ms ?? 0, total),
    p95_execution_time_ms: percentile(executions, 0.95),
  };
}

function totalOf({ succeeded = 0, failed = 0 }: Record<string, number>): number {
  return succeeded + failed;
}

function ratio(sum: number, count = 0): number | null {
  return count === 0 ? null : sum / count;
}
