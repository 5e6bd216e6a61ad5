import { pooledConfidence } from "../../shared/domain/agents/skills/confidence.ts";
import { findHolder, getSkills } from "../../shared/domain/agents/skills/records.ts";
import type { Skill } from "../../shared/domain/agents/skills/skill.ts";
import { synthesizingTask } from "../../shared/domain/agents/skills/tasks/synthesizing.ts";
import { presentSkill } from "../../shared/domain/agents/skills/wire.ts";
import { runVerificationTask } from "../../shared/domain/memory/verification-task.ts";
import { invalid, ServiceError } from "../../shared/kernel/errors.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { analyse } from "../../shared/kernel/text/text.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { processingOf } from "./processing.ts";
import type * as schemas from "./schemas.ts";
import { nameTaken, storeSkill } from "./store.ts";

const MIN_SKILLS = 2;
/** Maximum characters of all triggers and actions together. */
const MAX_MERGED_LENGTH = 40_000;
/** Maximum tags and examples of a skill, as in creation. */
const MAX_LISTED = 20;

/** Merges several skills into a new one; its confidence pools all their uses. */
export async function synthesizeSkills(
  ctx: Context,
  { skill_ids, name, description }: Input<typeof schemas.SynthesizeSkills>,
) {
  const skills = await getSkills(ctx, skill_ids);
  refuseNothing(skills);
  refuseTooLong(skills);
  const holder = await findHolder(ctx, name);
  if (holder !== undefined) throw nameTaken(name, holder);
  const answer = await runVerificationTask(ctx, synthesizingTask, { name, description, skills });
  const confidence = pooledConfidence(skills);
  const skill = await storeSkill(
    ctx,
    {
      name,
      trigger: answer.value.trigger,
      action: answer.value.action,
      domain: commonDomain(skills),
      confidence,
      tags: together(skills, "tags"),
      examples: together(skills, "examples"),
      metadata: description === undefined ? {} : { description },
    },
    { reason: "synthesized", source_skills: skill_ids },
  );
  const mean = skills.reduce((sum, each) => sum + each.confidence, 0) / skills.length;
  return {
    synthesized_skill: { ...presentSkill(skill), source_skills: skill_ids },
    synthesis_summary: {
      input_skills: skills.length,
      merged_triggers: answer.value.merged_triggers,
      merged_actions: answer.value.merged_actions,
      confidence_improvement: confidence - mean,
    },
    processing: processingOf(answer),
  };
}

function refuseNothing(skills: Skill[]): void {
  const says = ({ trigger, action }: Skill) => analyse(`${trigger} ${action}`).length > 0;
  if (skills.length >= MIN_SKILLS && skills.some(says)) return;
  throw new ServiceError(
    "INSUFFICIENT_RESULTS",
    `A synthesis needs at least ${MIN_SKILLS} skills with text. Name more skills.`,
    { skill_ids: skills.map(({ id }) => id) },
  );
}

/** A merged text is stored completely or not at all. */
function refuseTooLong(skills: Skill[]): void {
  const length = skills.reduce((sum, { trigger, action }) => sum + trigger.length + action.length, 0);
  if (length <= MAX_MERGED_LENGTH) return;
  const problem = `triggers and actions are ${length} characters together, more than ${MAX_MERGED_LENGTH}: name fewer`;
  throw invalid({ field: "skill_ids", problem });
}

/** The most frequent domain; the first one in a tie. */
function commonDomain(skills: Skill[]): string {
  const counts = Map.groupBy(skills, ({ domain }) => domain);
  const [most] = [...counts].sort(([, one], [, other]) => other.length - one.length);
  return most?.[0] ?? "general";
}

function together(skills: Skill[], list: "tags" | "examples"): string[] {
  return [...new Set(skills.flatMap((skill) => skill[list]))].slice(0, MAX_LISTED);
}
