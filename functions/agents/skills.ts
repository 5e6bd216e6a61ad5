import { MAX_SKILLS } from "../../shared/domain/agents/skill-links.ts";
import { findSkills, getSkills } from "../../shared/domain/agents/skills/records.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";
import { changeStored, requireAgent } from "./service.ts";

/** Adds to or replaces an agent's skills atomically. Throws SKILL_NOT_FOUND. */
export async function assignSkills(
  ctx: Context,
  id: string,
  { skill_ids, replace_existing }: Input<typeof schemas.AssignSkills>,
) {
  let previous: string[] = [];
  const agent = await changeStored(ctx, id, undefined, async ({ skills }) => {
    await getSkills(ctx, skill_ids);
    previous = skills;
    return { skills: replace_existing ? skill_ids : withRoom(id, [...new Set([...skills, ...skill_ids])]) };
  });
  return {
    agent_id: id,
    assigned_skills: agent.skills,
    previous_skills: previous,
    added_skills: skill_ids.filter((skill) => !previous.includes(skill)),
    total_skills: agent.skills.length,
  };
}

function withRoom(agent_id: string, skills: string[]): string[] {
  if (skills.length <= MAX_SKILLS) return skills;
  throw new ServiceError("CONFLICT", `An agent has at most ${MAX_SKILLS} skills. Remove or replace some.`, {
    agent_id,
  });
}

/** Removes skills; those that the agent does not have are ignored. */
export async function removeSkills(ctx: Context, id: string, { skill_ids }: Input<typeof schemas.RemoveSkills>) {
  let removed: string[] = [];
  const agent = await changeStored(ctx, id, undefined, ({ skills }) => {
    removed = skills.filter((skill) => skill_ids.includes(skill));
    return { skills: skills.filter((skill) => !skill_ids.includes(skill)) };
  });
  return {
    agent_id: id,
    removed_skills: removed,
    assigned_skills: agent.skills,
    total_skills: agent.skills.length,
  };
}

export async function listSkills(ctx: Context, id: string) {
  const agent = await requireAgent(ctx, id);
  const skills = await findSkills(ctx, agent.skills);
  const whole = { limit: skills.length, offset: 0 };
  return {
    agent_id: id,
    skills,
    total_skills: skills.length,
    pagination: pagination(whole, skills.length, false),
  };
}
