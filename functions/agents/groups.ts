import {
  findGroup,
  findGroupWithMembers,
  type Group,
  groups,
  JOINING,
  joinGroup,
  leaveGroup,
  MAX_MEMBERS,
  type Member,
} from "../../shared/domain/agents/group-records.ts";
import { type Agent, findAgents } from "../../shared/domain/agents/records.ts";
import { listSharedIds, readShared } from "../../shared/domain/agents/shares.ts";
import { findSkills, getSkills } from "../../shared/domain/agents/skills/records.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { existing, notFound, ServiceError } from "../../shared/kernel/errors.ts";
import { type PageRequest, pagination } from "../../shared/kernel/pagination.ts";
import { inParallel } from "../../shared/kernel/parallel.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { writeOrThrow } from "../../shared/ports/conflicts.ts";
import type { ConditionFailedError } from "../../shared/ports/errors.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";
import { present } from "./service.ts";

const CONCURRENCY = 8;

export function createGroup(ctx: Context, given: Input<typeof schemas.CreateGroup>): Promise<Group> {
  return groups.create(ctx, { ...given, member_count: 0 });
}

export async function listGroups(ctx: Context, { department, ...page }: Input<typeof schemas.ListGroups>) {
  const { items, total, hasNext } = await groups.list(ctx.ports.records, ctx.org, { department }, true, page);
  const shown = items.map(({ skills, ...group }) => ({ ...group, skill_count: skills.length }));
  return { groups: shown, pagination: pagination(page, total, hasNext) };
}

/** A group with its agents in the order of joining; deleted agents are left out. */
export interface Assembled {
  group: Group;
  members: { agent: Agent; member: Member }[];
}

/** Loads a group with its agents. Throws GROUP_NOT_FOUND for an unknown id or another organization's group. */
export async function assembleGroup(ctx: Context, id: string): Promise<Assembled> {
  const found = existing(await findGroupWithMembers(ctx.ports.records, ctx.org, id), "group", id);
  const ids = found.members.map(({ agent_id }) => agent_id);
  const agents = new Map((await findAgents(ctx.ports.records, ctx.org, ids)).map((agent) => [agent.id, agent]));
  const members = found.members.flatMap((member) => {
    const agent = agents.get(member.agent_id);
    return agent ? [{ agent, member }] : [];
  });
  return { group: found.group, members };
}

export async function getGroup(ctx: Context, id: string) {
  const { group, members } = await assembleGroup(ctx, id);
  const skills = await findSkills(ctx, group.skills);
  return {
    ...group,
    skills: skills.map((skill) => skill.id),
    member_count: members.length,
    members: members.map(({ agent: { id, name }, member: { role, joined_at } }) => ({ id, name, role, joined_at })),
  };
}

export function updateGroup(
  ctx: Context,
  id: string,
  { config, ...given }: Input<typeof schemas.UpdateGroup>,
  ifMatch?: number,
): Promise<Group> {
  return groups.revise(ctx, id, ifMatch, async (before) => {
    await getSkills(ctx, given.skills ?? []);
    return { ...given, config: config && { ...before.config, ...config } };
  });
}

export function deleteGroup(ctx: Context, id: string, ifMatch?: number) {
  return groups.remove(ctx, id, ifMatch);
}

/** Throws GROUP_NOT_FOUND, AGENT_NOT_FOUND, MEMBER_EXISTS, and CONFLICT for a full group. */
export async function addMember(ctx: Context, id: string, { agent_id, role }: Input<typeof schemas.AddMember>) {
  const member: Member = { group_id: id, agent_id, role, joined_at: timestamp(ctx.clock()) };
  await writeOrThrow(ctx, joinGroup(ctx.org, member), (conflict) => refusalToJoin(member, conflict));
  return member;
}

function refusalToJoin({ group_id, agent_id }: Member, { index, existing }: ConditionFailedError): ServiceError {
  if (index === JOINING.agent) return notFound("agent", agent_id);
  if (index === JOINING.group && existing === undefined) return notFound("group", group_id);
  if (index === JOINING.group) {
    return new ServiceError("CONFLICT", `A group has at most ${MAX_MEMBERS} members.`, { group_id });
  }
  return new ServiceError("MEMBER_EXISTS", "The agent is already a member of this group.", { group_id, agent_id });
}

/** Throws GROUP_NOT_FOUND, and MEMBER_NOT_FOUND if the agent is not in the group. */
export async function removeMember(ctx: Context, id: string, agent_id: string) {
  const now = ctx.clock();
  await writeOrThrow(ctx, leaveGroup(ctx.org, { group_id: id, agent_id }, now), async () =>
    (await findGroup(ctx.ports.records, ctx.org, id)) ? notFound("member", agent_id) : notFound("group", id),
  );
  return { group_id: id, agent_id, removed_at: timestamp(now) };
}

/** Returns the ids of all skills of the group (`own`) or of its members (`agent_ids`). */
export function unionOfSkills({ group, members }: Assembled): Map<string, { own: boolean; agent_ids: string[] }> {
  const union = new Map(group.skills.map((id) => [id, { own: true, agent_ids: [] as string[] }]));
  for (const { agent } of members) {
    for (const id of agent.skills) {
      const owners = union.get(id) ?? { own: false, agent_ids: [] };
      owners.agent_ids.push(agent.id);
      union.set(id, owners);
    }
  }
  return union;
}

export async function listGroupSkills(ctx: Context, group_id: string, page: PageRequest) {
  const union = unionOfSkills(await assembleGroup(ctx, group_id));
  const { shown, ...rest } = pageOf([...union.keys()], page);
  const skills = (await findSkills(ctx, shown)).map((skill) => ({
    ...{ ...skill, own: false, agent_ids: [] },
    ...union.get(skill.id),
  }));
  return { group_id, skills, total_skills: union.size, ...rest };
}

function pageOf(all: string[], page: PageRequest) {
  const end = page.offset + page.limit;
  return { shown: all.slice(page.offset, end), pagination: pagination(page, all.length, all.length > end) };
}

/** Ids of the memories shared with members without duplicates, most recently shared first. */
export async function unionOfMemories(ctx: Context, { members }: Assembled): Promise<string[]> {
  const lists = await inParallel(members, CONCURRENCY, ({ agent }) => listSharedIds(ctx, agent.id));
  const latest = new Map<string, string>();
  for (const { id, position } of lists.flat()) if (position > (latest.get(id) ?? "")) latest.set(id, position);
  return [...latest].sort(([, one], [, other]) => (one < other ? 1 : -1)).map(([id]) => id);
}

export async function listGroupMemories(ctx: Context, group_id: string, page: PageRequest) {
  const assembled = await assembleGroup(ctx, group_id);
  const agents = new Set(assembled.members.map(({ agent }) => agent.id));
  const union = await unionOfMemories(ctx, assembled);
  const { shown, ...rest } = pageOf(union, page);
  const memories = (await readShared(ctx, agents, shown)).map((shared) => ({
    ...present(shared, ctx.clock()),
    agent_ids: shared.agents,
  }));
  return { group_id, memories, total_memories: union.length, ...rest };
}
