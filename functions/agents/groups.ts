import { departmentIn } from "../../shared/domain/agents/departments.ts";
import {
  changeGroup,
  findGroup,
  findGroupWithMembers,
  type Group,
  insertGroup,
  JOINING,
  joinGroup,
  leaveGroup,
  MAX_MEMBERS,
  type Member,
  listGroups as readGroups,
  removeGroup,
} from "../../shared/domain/agents/group-records.ts";
import { type Agent, findAgents } from "../../shared/domain/agents/records.ts";
import { findSkills, getSkills } from "../../shared/domain/agents/skills/records.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { notFound, ServiceError } from "../../shared/kernel/errors.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { updateWithRetry, writeOrThrow } from "../../shared/ports/conflicts.ts";
import type { ConditionFailedError } from "../../shared/ports/errors.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";
import { storeWithSkills } from "./service.ts";

export async function createGroup(ctx: Context, given: Input<typeof schemas.CreateGroup>): Promise<Group> {
  const now = timestamp(ctx.clock());
  const group: Group = {
    ...given,
    department: given.department ?? departmentIn(given.metadata),
    id: ctx.ids("group"),
    org: ctx.org,
    member_count: 0,
    created_at: now,
    updated_at: now,
    created_by: ctx.principal.id,
    version: 1,
  };
  await storeWithSkills(ctx, group.skills, insertGroup(group));
  return group;
}

export async function listGroups(ctx: Context, { department, ...page }: Input<typeof schemas.ListGroups>) {
  const { groups, total, hasNext } = await readGroups(ctx.ports.records, ctx.org, department, page);
  const items = groups.map(({ skills, ...group }) => ({ ...group, skill_count: skills.length }));
  return { groups: items, pagination: pagination(page, total, hasNext) };
}

/** A group with its agents in the order of joining; deleted ones are left out. */
export interface Assembled {
  group: Group;
  members: { agent: Agent; member: Member }[];
}

/** Throws GROUP_NOT_FOUND for an id that is missing or of another organization. */
export async function assembleGroup(ctx: Context, id: string): Promise<Assembled> {
  const found = await findGroupWithMembers(ctx.ports.records, ctx.org, id);
  if (!found) throw notFound("group", id);
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
    members: members.map(({ agent, member }) => ({
      id: agent.id,
      name: agent.name,
      role: member.role,
      joined_at: member.joined_at,
    })),
  };
}

export async function updateGroup(
  ctx: Context,
  id: string,
  { config, department, ...given }: Input<typeof schemas.UpdateGroup>,
  ifMatch?: number,
): Promise<Group> {
  const find = () => findGroup(ctx.ports.records, ctx.org, id);
  return updateWithRetry({ resource: "group", id, find, ifMatch }, async (before) => {
    await getSkills(ctx, given.skills ?? []);
    const change = {
      ...given,
      config: config && { ...before.config, ...config },
      department: department === undefined ? given.metadata && departmentIn(given.metadata) : department,
    };
    const { after, writes } = changeGroup(before, change, ctx.clock());
    await ctx.ports.records.write(...writes);
    return after;
  });
}

export async function deleteGroup(ctx: Context, id: string, ifMatch?: number) {
  const find = () => findGroup(ctx.ports.records, ctx.org, id);
  await updateWithRetry({ resource: "group", id, find, ifMatch }, (group) =>
    ctx.ports.records.write(removeGroup(group)),
  );
  return { id, deleted_at: timestamp(ctx.clock()) };
}

// ---------------------------------------------------------------- members

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
