import { readAgentCounts, usageOf } from "../../shared/domain/agents/metrics.ts";
import { type Agent, agents, findAgent } from "../../shared/domain/agents/records.ts";
import { listShared, type SharedMemory, shareMemory, unshareMemory } from "../../shared/domain/agents/shares.ts";
import { MAX_SKILLS } from "../../shared/domain/agents/skill-links.ts";
import { findSkills, getSkills } from "../../shared/domain/agents/skills/records.ts";
import { requireHeld } from "../../shared/domain/identity/grants.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { existing, invalid, ServiceError } from "../../shared/kernel/errors.ts";
import { eventTimeOf } from "../../shared/kernel/event-time.ts";
import { type PageRequest, pagination, parseSort } from "../../shared/kernel/pagination.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";

/** Throws AGENT_NOT_FOUND for an unknown id, another organization's agent and, for an agent's key, any other agent. */
export async function requireAgent(ctx: Context, id: string): Promise<Agent> {
  const isHidden = ctx.viewer !== undefined && ctx.viewer !== id;
  return existing(isHidden ? undefined : await findAgent(ctx.ports.records, ctx.org, id), "agent", id);
}

export function createAgent(ctx: Context, given: Input<typeof schemas.CreateAgent>): Promise<Agent> {
  return agents.create(ctx, { ...given, status: "active" });
}

type Query = Input<typeof schemas.ListAgents>;

export async function listAgents(ctx: Context, { limit, offset, sort, ...filter }: Query) {
  const { descending } = parseSort(sort, ["created_at"]);
  const page = { limit, offset };
  const { items, total, hasNext } =
    ctx.viewer === undefined
      ? await agents.list(ctx.ports.records, ctx.org, filter, descending, page)
      : await listItself(ctx, filter, page);
  const shown = items.map(({ skills, memory_settings, ...agent }) => ({
    ...agent,
    department: agent.department ?? null,
    skill_count: skills.length,
    memory_enabled: memory_settings.enabled,
  }));
  return { agents: shown, pagination: pagination(page, total, hasNext) };
}

/** The list for an agent's key, which sees only its own agent. */
async function listItself(
  ctx: Context,
  { status, department, model }: Omit<Query, "limit" | "offset" | "sort">,
  { offset }: PageRequest,
) {
  const agent = await findAgent(ctx.ports.records, ctx.org, ctx.viewer ?? "");
  const isMatch =
    agent !== undefined &&
    (department ?? agent.department) === agent.department &&
    (model ?? agent.model) === agent.model &&
    (status ?? agent.status) === agent.status;
  const all = isMatch ? [agent] : [];
  return { items: all.slice(offset), total: all.length, hasNext: false };
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

export function updateAgent(
  ctx: Context,
  id: string,
  { config, memory_settings, ...given }: Input<typeof schemas.UpdateAgent>,
  ifMatch?: number,
): Promise<Agent> {
  return agents.revise(ctx, id, ifMatch, (before) => ({
    ...given,
    config: config && { ...before.config, ...config },
    memory_settings: memory_settings && withSettings(before, memory_settings),
  }));
}

type Settings = NonNullable<Input<typeof schemas.UpdateAgent>["memory_settings"]>;

function withSettings({ memory_settings: before }: Agent, given: Settings): Agent["memory_settings"] {
  const { retention_days = before.retention_days } = given;
  return { ...before, ...given, retention_days: retention_days ?? undefined };
}

/** Deletes an agent; its keys stop working at once, and references to it are removed in the background. */
export async function deleteAgent(ctx: Context, id: string, ifMatch?: number) {
  const deleted = await agents.remove(ctx, id, ifMatch);
  ctx.authenticator.forget(id);
  return deleted;
}

/** Adds to or replaces an agent's skills atomically. Throws SKILL_NOT_FOUND. */
export async function assignSkills(ctx: Context, agent_id: string, given: Input<typeof schemas.AssignSkills>) {
  const { skill_ids, replace_existing } = given;
  let previous: string[] = [];
  const { skills } = await agents.revise(ctx, agent_id, undefined, async (before) => {
    await getSkills(ctx, skill_ids);
    previous = before.skills;
    return { skills: replace_existing ? skill_ids : withinLimit(agent_id, [...new Set([...previous, ...skill_ids])]) };
  });
  return {
    agent_id,
    assigned_skills: skills,
    previous_skills: previous,
    added_skills: skill_ids.filter((skill) => !previous.includes(skill)),
    total_skills: skills.length,
  };
}

/** Returns the skills. Throws CONFLICT for more than an agent may have. */
function withinLimit(agent_id: string, skills: string[]): string[] {
  if (skills.length <= MAX_SKILLS) return skills;
  throw new ServiceError("CONFLICT", `An agent has at most ${MAX_SKILLS} skills. Remove or replace some.`, {
    agent_id,
  });
}

/** Removes skills; those that the agent does not have are ignored. */
export async function removeSkills(ctx: Context, agent_id: string, { skill_ids }: Input<typeof schemas.RemoveSkills>) {
  let removed_skills: string[] = [];
  const { skills } = await agents.revise(ctx, agent_id, undefined, (before) => {
    removed_skills = before.skills.filter((skill) => skill_ids.includes(skill));
    return { skills: before.skills.filter((skill) => !skill_ids.includes(skill)) };
  });
  return { agent_id, removed_skills, assigned_skills: skills, total_skills: skills.length };
}

export async function listSkills(ctx: Context, agent_id: string) {
  const agent = await requireAgent(ctx, agent_id);
  const skills = await findSkills(ctx, agent.skills);
  const total_skills = skills.length;
  const whole = { limit: total_skills, offset: 0 };
  return { agent_id, skills, total_skills, pagination: pagination(whole, total_skills, false) };
}

/** A caller can give an agent at most their own access to a memory. */
export async function share(ctx: Context, id: string, request: Input<typeof schemas.ShareMemory>) {
  if (request.expires_at !== undefined && Date.parse(request.expires_at) <= ctx.clock()) {
    throw invalid({ field: "expires_at", problem: "must be in the future" });
  }
  const isWritable = request.access_type === "read_write";
  requireHeld(ctx.principal.permissions, isWritable ? ["memory:read", "memory:write"] : ["memory:read"]);
  await requireAgent(ctx, id);
  const { access_type, shared_at, expires_at } = await shareMemory(ctx, id, request);
  return { agent_id: id, memory_id: request.memory_id, access_type, shared_at, expires_at };
}

/** Memories shared with an agent, without those that it stored itself. */
export async function listMemories(ctx: Context, id: string, given: Input<typeof schemas.ListShared>) {
  const { access_type, ...page } = given;
  await requireAgent(ctx, id);
  const { shared, total, hasNext } = await listShared(ctx, id, access_type, page);
  return {
    agent_id: id,
    memories: shared.map((memory) => present(memory, ctx.clock())),
    total_memories: total,
    pagination: pagination(page, total, hasNext),
  };
}

/** A shared memory in lists. */
export function present({ memory, share }: SharedMemory, now: number) {
  const { id, content } = memory;
  const { access_type, shared_at, expires_at } = share;
  return { id, content, ...eventTimeOf(memory, now), access_type, shared_at, expires_at };
}

export async function unshare(ctx: Context, id: string, memory_id: string) {
  await requireAgent(ctx, id);
  await unshareMemory(ctx, id, memory_id);
  return { agent_id: id, memory_id, removed_at: timestamp(ctx.clock()) };
}
