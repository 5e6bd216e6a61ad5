import type * as z from "zod";
import { departmentIn } from "../../shared/agents/departments.ts";
import { readAgentCounts, usageOf } from "../../shared/agents/figures.ts";
import {
  type Agent,
  type AgentFilter,
  changeAgent,
  findAgent,
  insertAgent,
  listAgents as readAgents,
  removeAgent,
} from "../../shared/agents/records.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { notFound } from "../../shared/kernel/errors.ts";
import { type PageRequest, pagination, parseSort } from "../../shared/kernel/pagination.ts";
import type { Context } from "../../shared/platform/context.ts";
import { ConditionFailed } from "../../shared/platform/errors.ts";
import type { Write } from "../../shared/platform/ports.ts";
import { readThenWrite } from "../../shared/platform/read-then-write.ts";
import { findSkills, getSkills } from "../../shared/skills/records.ts";
import type * as schemas from "./schemas.ts";

export type Input<Schema extends z.ZodType> = z.output<Schema>;

/** Throws AGENT_NOT_FOUND for an absent and a foreign id and, on behalf of an agent, for any but its own. */
export async function requireAgent(ctx: Context, id: string): Promise<Agent> {
  const isHidden = ctx.viewer !== undefined && ctx.viewer !== id;
  const agent = isHidden ? undefined : await findAgent(ctx.ports.records, ctx.org, id);
  if (!agent) throw notFound("agent", id);
  return agent;
}

/** Stores something new that holds skills. Throws SKILL_NOT_FOUND where one is gone, be it a moment ago. */
export async function storeWithSkills(ctx: Context, skills: string[], writes: Write[]): Promise<void> {
  await getSkills(ctx, skills);
  try {
    await ctx.ports.records.write(...writes);
  } catch (error) {
    if (error instanceof ConditionFailed) await getSkills(ctx, skills);
    throw error;
  }
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

/** For an agent there is no other. */
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

/** Changes an agent by what `decide` makes of it as it is now; `decide` may throw, and may be called again. */
export async function changeStored(
  ctx: Context,
  id: string,
  ifMatch: number | undefined,
  decide: (agent: Agent) => Parameters<typeof changeAgent>[1] | Promise<Parameters<typeof changeAgent>[1]>,
): Promise<Agent> {
  const find = () => findAgent(ctx.ports.records, ctx.org, id);
  return readThenWrite({ resource: "agent", id, find, ifMatch }, async (before) => {
    const { after, writes } = changeAgent(before, await decide(before), ctx.clock());
    await ctx.ports.records.write(...writes);
    return after;
  });
}

/** Removes an agent; its keys end at once, and all that names it follows. */
export async function deleteAgent(ctx: Context, id: string, ifMatch?: number) {
  const find = () => findAgent(ctx.ports.records, ctx.org, id);
  await readThenWrite({ resource: "agent", id, find, ifMatch }, (agent) => ctx.ports.records.write(removeAgent(agent)));
  ctx.authenticator.forget(id);
  return { id, deleted_at: timestamp(ctx.clock()) };
}
