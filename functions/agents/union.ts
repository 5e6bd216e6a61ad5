import { listSharedIds, readShared } from "../../shared/domain/agents/shares.ts";
import { findSkills } from "../../shared/domain/agents/skills/records.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import { inParallel } from "../../shared/kernel/parallel.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { type Assembled, assembleGroup } from "./groups.ts";
import { present } from "./memories.ts";
import type * as schemas from "./schemas.ts";

const CONCURRENCY = 8;

/** Skills of a group and its members without duplicates, with their owners. */
export function unionOfSkills({ group, members }: Assembled): Map<string, { own: boolean; agent_ids: string[] }> {
  const union = new Map(group.skills.map((id) => [id, { own: true, agent_ids: [] as string[] }]));
  for (const { agent } of members) {
    for (const id of agent.skills) {
      const held = union.get(id) ?? { own: false, agent_ids: [] };
      held.agent_ids.push(agent.id);
      union.set(id, held);
    }
  }
  return union;
}

export async function listGroupSkills(ctx: Context, id: string, page: Input<typeof schemas.ListOfGroup>) {
  const union = unionOfSkills(await assembleGroup(ctx, id));
  const { shown, total, hasNext } = cut([...union.keys()], page);
  const skills = await findSkills(ctx, shown);
  return {
    group_id: id,
    skills: skills.map((skill) => ({ ...skill, own: false, agent_ids: [], ...union.get(skill.id) })),
    total_skills: total,
    pagination: pagination(page, total, hasNext),
  };
}

function cut(all: string[], { limit, offset }: { limit: number; offset: number }) {
  const end = offset + limit;
  return { shown: all.slice(offset, end), total: all.length, hasNext: all.length > end };
}

/** Ids of the memories shared with members without duplicates, most recently shared first. */
export async function unionOfMemories(ctx: Context, { members }: Assembled): Promise<string[]> {
  const lists = await inParallel(members, CONCURRENCY, ({ agent }) => listSharedIds(ctx, agent.id));
  const latest = new Map<string, string>();
  for (const { id, place } of lists.flat()) if (place > (latest.get(id) ?? "")) latest.set(id, place);
  return [...latest].sort(([, one], [, other]) => (one < other ? 1 : -1)).map(([id]) => id);
}

export async function listGroupMemories(ctx: Context, id: string, page: Input<typeof schemas.ListOfGroup>) {
  const assembled = await assembleGroup(ctx, id);
  const agents = new Set(assembled.members.map(({ agent }) => agent.id));
  const { shown, total, hasNext } = cut(await unionOfMemories(ctx, assembled), page);
  const shared = await readShared(ctx, agents, shown);
  return {
    group_id: id,
    memories: shared.map((each) => ({ ...present(each, ctx.clock()), agent_ids: each.agents })),
    total_memories: total,
    pagination: pagination(page, total, hasNext),
  };
}
