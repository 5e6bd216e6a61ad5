import { MEMBER_ROLES } from "../../shared/domain/agents/group-records.ts";
import { executionStatisticsOf, readAgentCounts } from "../../shared/domain/agents/metrics.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { carryOut } from "./execution.ts";
import { type Assembled, assembleGroup } from "./groups.ts";
import type * as schemas from "./schemas.ts";
import { MAX_EXECUTION_MS } from "./schemas.ts";

type Placed = Assembled["members"][number];

type Attempt = Input<typeof schemas.GroupExecution>["attempts"][number];

/** With less remaining time, the group calls no further member. */
const MIN_TURN_MS = 100;
const DEFAULT_TIMEOUT_MS = 20_000;

/**
 * Runs a group: primary members first, then secondary, then fallback ones, within a role in the order of the group's
 * load balancing. If one has no answer or fails, the next is asked, unless the group has no fallback. Members also use
 * the group's skills. Throws GROUP_NOT_FOUND, CONFLICT if no member is active, and the error of the last member.
 */
export async function executeGroup(ctx: Context, id: string, given: Input<typeof schemas.ExecuteAgent>) {
  const { group, members } = await assembleGroup(ctx, id);
  const { fallback_enabled = true, timeout_ms = DEFAULT_TIMEOUT_MS } = group.config;
  const deadline =
    performance.now() + Math.min(timeout_ms, given.options.timeout_ms ?? Number.POSITIVE_INFINITY, MAX_EXECUTION_MS);
  const attempts: Attempt[] = [];
  let unanswered: Awaited<ReturnType<typeof carryOut>> | undefined;
  let failure: unknown;
  for (const { agent, member } of await inOrder(ctx, { group, members })) {
    const turn = { agent_id: agent.id, role: member.role };
    const left = Math.floor(deadline - performance.now());
    if (agent.status !== "active" || left < MIN_TURN_MS) {
      attempts.push({
        ...turn,
        status: "skipped",
        reason: left < MIN_TURN_MS ? "no time is left" : `is ${agent.status}`,
      });
      continue;
    }
    try {
      const options = { ...given.options, timeout_ms: left };
      const execution = await carryOut(ctx, agent, { ...given, options }, group.skills);
      attempts.push({ ...turn, status: execution.status });
      if (execution.status === "completed") return { ...execution, group_id: id, role: member.role, attempts };
      unanswered ??= execution;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      failure = error;
      attempts.push({ ...turn, status: "failed", reason: error.code });
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

/** By role, then by the group's load balancing, then by joining. Without fallback, that role is never asked. */
async function inOrder(ctx: Context, { group, members }: Assembled): Promise<Placed[]> {
  const { load_balancing, fallback_enabled = true } = group.config;
  if (load_balancing === "round_robin") await ctx.rollups.flush();
  const candidates = members.filter(({ member }) => fallback_enabled || member.role !== "fallback");
  const ranked = await Promise.all(
    candidates.map(async (placed) => ({
      placed,
      role: MEMBER_ROLES.indexOf(placed.member.role),
      turn: await turnOf(ctx, placed, load_balancing),
    })),
  );
  return ranked.sort((one, other) => one.role - other.role || one.turn - other.turn).map(({ placed }) => placed);
}

/** Members of one role with a lower number are asked first. */
async function turnOf(ctx: Context, { agent }: Placed, strategy: string | undefined): Promise<number> {
  if (strategy === "random") return Math.random();
  if (strategy !== "round_robin") return 0;
  return executionStatisticsOf(await readAgentCounts(ctx.ports.records, ctx.org, agent.id)).total;
}
