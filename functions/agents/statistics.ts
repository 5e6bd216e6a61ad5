import { MEMBER_ROLES } from "../../shared/domain/agents/group-records.ts";
import {
  type AgentCounts,
  executionStatisticsOf,
  readAgentCounts,
  usageOf,
} from "../../shared/domain/agents/metrics.ts";
import { AGENT_STATES } from "../../shared/domain/agents/records.ts";
import { countShared } from "../../shared/domain/agents/shares.ts";
import { findSkills } from "../../shared/domain/agents/skills/records.ts";
import { countOwn } from "../../shared/domain/memory/viewers.ts";
import { inParallel } from "../../shared/kernel/parallel.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { sumCounters } from "../../shared/runtime/stats/histogram.ts";
import { assembleGroup, unionOfMemories, unionOfSkills } from "./groups.ts";
import { requireAgent } from "./service.ts";

const CONCURRENCY = 16;

/** An agent's usage statistics, including this process's pending counts. */
export async function readAgentStats(ctx: Context, id: string) {
  const { ports, org, clock } = ctx;
  const { status, skills: skillIds } = await requireAgent(ctx, id);
  await ctx.rollups.flush();
  const [counts, skills, own, read, read_write] = await Promise.all([
    readAgentCounts(ports.records, org, id),
    findSkills(ctx, skillIds),
    countOwn(ports.records, org, id, clock()),
    countShared(ctx, id, "read"),
    countShared(ctx, id, "read_write"),
  ]);
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  return {
    agent_id: id,
    status,
    ...usageOf(counts),
    executions: executionStatisticsOf(counts),
    memories: { own, read, read_write },
    skills: {
      total: skills.length,
      avg_confidence: skills.length === 0 ? null : sum(skills.map(({ confidence }) => confidence)) / skills.length,
      total_usage: sum(skills.map(({ usage_count }) => usage_count)),
    },
  };
}

/** The usage statistics of all members of a group, summed. */
export async function readGroupStats(ctx: Context, id: string) {
  const assembled = await assembleGroup(ctx, id);
  const { members } = assembled;
  await ctx.rollups.flush();
  const [all, memories] = await Promise.all([
    inParallel(members, CONCURRENCY, ({ agent }) => readAgentCounts(ctx.ports.records, ctx.org, agent.id)),
    unionOfMemories(ctx, assembled),
  ]);
  const counts: AgentCounts = {
    sessions: sumCounters(all.map(({ sessions }) => sessions)),
    executions: sumCounters(all.map(({ executions }) => executions)),
  };
  const roles = members.map(({ member }) => member.role);
  const statuses = members.map(({ agent }) => agent.status);
  return {
    group_id: id,
    member_count: members.length,
    members_by_role: countBy(MEMBER_ROLES, roles),
    members_by_status: countBy(AGENT_STATES, statuses),
    ...usageOf(counts),
    executions: executionStatisticsOf(counts),
    total_skills: unionOfSkills(assembled).size,
    total_memories: memories.length,
  };
}

function countBy<Name extends string>(names: readonly Name[], values: Name[]): Record<Name, number> {
  const counts = names.map((name) => [name, values.filter((value) => value === name).length]);
  return Object.fromEntries(counts);
}
