import { departmentIn } from "../../shared/domain/agents/departments.ts";
import { readAgentCounts, usageOf } from "../../shared/domain/agents/metrics.ts";
import {
  type Agent,
  type AgentFilter,
  changeAgent,
  findAgent,
  insertAgent,
  listAgents as readAgents,
  removeAgent,
} from "../../shared/domain/agents/records.ts";
import { findSkills, getSkills } from "../../shared/domain/agents/skills/records.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { notFound } from "../../shared/kernel/errors.ts";
import { type PageRequest, pagination, parseSort } from "../../shared/kernel/pagination.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { updateWithRetry, writeOrThrow } from "../../shared/ports/conflicts.ts";
import type { Write } from "../../shared/ports/ports.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";

/** Throws AGENT_NOT_FOUND for a missing id or another organization's and, for an agent's key, for any other agent. */
export async function requireAgent(ctx: Context, id: string): Promise<Agent> {
  const isHidden = ctx.viewer !== undefined && ctx.viewer !== id;
  const agent = isHidden ? undefined : await findAgent(ctx.ports.records, ctx.org, id);
  if (!agent) throw notFound("agent", id);
  return agent;
}

/** Stores a new holder of skills. Throws SKILL_NOT_FOUND if a skill does not exist. */
export async function storeWithSkills(ctx: Context, skills: string[], writes: Write[]): Promise<void> {
  await getSkills(ctx, skills);
  await writeOrThrow(ctx, writes, async (conflict) => {
    await getSkills(ctx, skills);
    return conflict;
  });
}

export async function createAgent(ctx: Context, given: Input<typeof schemas.CreateAgent>): Promise<Agent> {
  const now = timestamp(ctx.clock());
  const agent: Agent = {
    ...given,
    department: given.department ?? departmentIn(given.metadata),
    id: ctx.ids("agent"),
    org: ctx.org,
    status: "active",
    created_at: now,
    updated_at: now,
    created_by: ctx.principal.id,
    version: 1,
  };
  await storeWithSkills(ctx, agent.skills, insertAgent(agent));
  return agent;
}

export async function listAgents(ctx: Context, query: Input<typeof schemas.ListAgents>) {
  const { limit, offset, sort, ...filter } = query;
  const order = parseSort(sort, ["created_at"]);
  const page = { limit, offset };
  const { agents, total, hasNext } =
    ctx.viewer === undefined
      ? await readAgents(ctx.ports.records, ctx.org, filter, order, page)
      : await listItself(ctx, filter, page);
  const items = agents.map(({ skills, memory_settings, ...agent }) => ({
    ...agent,
    department: agent.department ?? null,
    skill_count: skills.length,
    memory_enabled: memory_settings.enabled,
  }));
  return { agents: items, pagination: pagination(page, total, hasNext) };
}

/** An agent's key sees only its own agent. */
async function listItself(ctx: Context, { status, department, model }: AgentFilter, { offset }: PageRequest) {
  const agent = await findAgent(ctx.ports.records, ctx.org, ctx.viewer ?? "");
  const isAmong =
    agent !== undefined &&
    (department ?? agent.department) === agent.department &&
    (model ?? agent.model) === agent.model &&
    (status ?? agent.status) === agent.status;
  const all = isAmong ? [agent] : [];
  return { agents: all.slice(offset), total: all.length, hasNext: false };
}

export async function getAgent(ctx: Context, id: string) {
  const agent = await requireAgent(ctx, id);
  await ctx.rollups.flush();
  const [skills, counts] = await Promise.all([
    findSkills(ctx, agent.skills),
    readAgentCounts(ctx.ports.records, ctx.org, id),
  ]);
  return { ...agent, skills, usage_stats: usageOf(counts) };
}

export async function updateAgent(
  ctx: Context,
  id: string,
  { config, memory_settings, department, ...given }: Input<typeof schemas.UpdateAgent>,
  ifMatch?: number,
): Promise<Agent> {
  return changeStored(ctx, id, ifMatch, (before) => ({
    ...given,
    config: config && { ...before.config, ...config },
    memory_settings: memory_settings && withSettings(before, memory_settings),
    department: department === undefined ? given.metadata && departmentIn(given.metadata) : department,
  }));
}

function withSettings(
  { memory_settings: before }: Agent,
  {
    retention_days = before.retention_days,
    ...given
  }: NonNullable<Input<typeof schemas.UpdateAgent>["memory_settings"]>,
): Agent["memory_settings"] {
  return { ...before, ...given, retention_days: retention_days ?? undefined };
}

/** Changes an agent by the result of `decide` on its current state; `decide` may throw, and may be called again. */
export async function changeStored(
  ctx: Context,
  id: string,
  ifMatch: number | undefined,
  decide: (agent: Agent) => Parameters<typeof changeAgent>[1] | Promise<Parameters<typeof changeAgent>[1]>,
): Promise<Agent> {
  const find = () => findAgent(ctx.ports.records, ctx.org, id);
  return updateWithRetry({ resource: "agent", id, find, ifMatch }, async (before) => {
    const { after, writes } = changeAgent(before, await decide(before), ctx.clock());
    await ctx.ports.records.write(...writes);
    return after;
  });
}

/** Deletes an agent; its keys end at once, and references to it are removed in the background. */
export async function deleteAgent(ctx: Context, id: string, ifMatch?: number) {
  const find = () => findAgent(ctx.ports.records, ctx.org, id);
  await updateWithRetry({ resource: "agent", id, find, ifMatch }, (agent) =>
    ctx.ports.records.write(removeAgent(agent)),
  );
  ctx.authenticator.forget(id);
  return { id, deleted_at: timestamp(ctx.clock()) };
}
