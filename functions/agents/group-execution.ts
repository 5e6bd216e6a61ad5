import { MEMBER_ROLES } from "../../shared/domain/agents/group-records.ts";
import { executionStatisticsOf, readAgentCounts } from "../../shared/domain/agents/metrics.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { runAgent } from "./execution.ts";
import { type Assembled, assembleGroup } from "./groups.ts";
import type * as schemas from "./schemas.ts";
import { MAX_EXECUTION_MS } from "./schemas.ts";

type GroupMember = Assembled["members"][number];

type Attempt = Input<typeof schemas.GroupExecution>["attempts"][number];

/** If less time remains, no further member is asked. */
const MIN_REMAINING_MS = 100;
const DEFAULT_TIMEOUT_MS = 20_000;

/**
 * Runs a group: primary members first, then secondary, then fallback ones, within a role in the order of the group's
 * load balancing. If one has no answer or fails, the next is asked, unless the group has no fallback. Members also use
 * the group's skills. Throws GROUP_NOT_FOUND, CONFLICT if no member is active, and the last member's error if all fail.
 */
export async function executeGroup(ctx: Context, id: string, given: Input<typeof schemas.ExecuteAgent>) {
  const { group, members } = await assembleGroup(ctx, id);
  const { fallback_enabled = true, timeout_ms = DEFAULT_TIMEOUT_MS } = group.config;
  const deadline =
    performance.now() + Math.min(timeout_ms, given.options.timeout_ms ?? Number.POSITIVE_INFINITY, MAX_EXECUTION_MS);
  const attempts: Attempt[] = [];
  let unanswered: Awaited<ReturnType<typeof runAgent>> | undefined;
  let failure: unknown;
  for (const { agent, member } of await sortMembers(ctx, { group, members })) {
    const asked = { agent_id: agent.id, role: member.role };
    const left = Math.floor(deadline - performance.now());
    if (agent.status !== "active" || left < MIN_REMAINING_MS) {
      attempts.push({
        ...asked,
        status: "skipped",
        reason: left < MIN_REMAINING_MS ? "no time is left" : `is ${agent.status}`,
      });
      continue;
    }
    try {
      const options = { ...given.options, timeout_ms: left };
      const execution = await runAgent(ctx, agent, { ...given, options }, group.skills);
      attempts.push({ ...asked, status: execution.status });
      if (execution.status === "completed") return { ...execution, group_id: id, role: member.role, attempts };
      unanswered ??= execution;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      failure = error;
      attempts.push({ ...asked, status: "failed", reason: error.code });
    }
    if (!fallback_enabled) break;
  }
  const first = attempts.find(({ status }) => status === "unanswered");
  if (unanswered && first) return { ...unanswered, group_id: id, role: first.role, attempts };
  if (failure !== undefined) throw failure;
  throw new ServiceError("CONFLICT", "No member of the group is active. Add one, or set its status to active.", {
    group_id: id,
  });
}

/** Sorts members by role, then by load balancing, then by joining. Without fallback, that role is left out. */
async function sortMembers(ctx: Context, { group, members }: Assembled): Promise<GroupMember[]> {
  const { load_balancing, fallback_enabled = true } = group.config;
  if (load_balancing === "round_robin") await ctx.rollups.flush();
  const candidates = members.filter(({ member }) => fallback_enabled || member.role !== "fallback");
  const ranked = await Promise.all(
    candidates.map(async (candidate) => ({
      candidate,
      role: MEMBER_ROLES.indexOf(candidate.member.role),
      rank: await rankOf(ctx, candidate, load_balancing),
    })),
  );
  return ranked.sort((one, other) => one.role - other.role || one.rank - other.rank).map(({ candidate }) => candidate);
}

/** Returns a member's rank within its role: a lower rank is asked first. */
async function rankOf(ctx: Context, { agent }: GroupMember, strategy: string | undefined): Promise<number> {
  if (strategy === "random") return Math.random();
  if (strategy !== "round_robin") return 0;
  return executionStatisticsOf(await readAgentCounts(ctx.ports.records, ctx.org, agent.id)).total;
}
