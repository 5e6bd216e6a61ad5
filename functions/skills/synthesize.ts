import { invalid, ServiceError } from "../../shared/kernel/errors.ts";
import { askVerifier } from "../../shared/memory/asking.ts";
import type { Context } from "../../shared/platform/context.ts";
import { analyse } from "../../shared/retrieval/text.ts";
import { pooledConfidence } from "../../shared/skills/confidence.ts";
import { findHolder, getSkills } from "../../shared/skills/records.ts";
import type { Skill } from "../../shared/skills/skill.ts";
import { synthesizingTask } from "../../shared/skills/tasks/synthesizing.ts";
import { presentSkill } from "../../shared/skills/wire.ts";
import { processingOf } from "./processing.ts";
import type * as schemas from "./schemas.ts";
import type { Input } from "./service.ts";
import { nameTaken, storeSkill } from "./store.ts";

const FEWEST_SKILLS = 2;
/** Characters of all triggers and actions together. */
const MAX_MERGED_LENGTH = 40_000;
/** Tags and examples of a skill, as many as creating one takes. */
const MAX_LISTED = 20;

/** Makes one skill of several, which stay; its confidence is that of all their uses together. */
export async function synthesizeSkills(
  ctx: Context,
  { skill_ids, name, description }: Input<typeof schemas.SynthesizeSkills>,
) {
  const skills = await getSkills(ctx, skill_ids);
  refuseNothing(skills);
  refuseTooLong(skills);
  const holder = await findHolder(ctx, name);
  if (holder !== undefined) throw nameTaken(name, holder);
  const answer = await askVerifier(ctx, synthesizingTask, { name, description, skills });
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
  if (skills.length >= FEWEST_SKILLS && skills.some(says)) return;
  throw new ServiceError(
    "INSUFFICIENT_RESULTS",
    `A synthesis takes at least ${FEWEST_SKILLS} skills that say something in words. Name more of them.`,
    { skill_ids: skills.map(({ id }) => id) },
  );
}

/** What is merged is stored whole or not at all. */
function refuseTooLong(skills: Skill[]): void {
  const length = skills.reduce((sum, { trigger, action }) => sum + trigger.length + action.length, 0);
  if (length <= MAX_MERGED_LENGTH) return;
  const problem = `triggers and actions are ${length} characters together, more than ${MAX_MERGED_LENGTH}: name fewer`;
  throw invalid({ field: "skill_ids", problem });
}

/** The domain of most; of equals, the one named first. */
function commonDomain(skills: Skill[]): string {
  const counts = Map.groupBy(skills, ({ domain }) => domain);
  const [most] = [...counts].sort(([, one], [, other]) => other.length - one.length);
  return most?.[0] ?? "general";
}

function together(skills: Skill[], list: "tags" | "examples"): string[] {
  return [...new Set(skills.flatMap((skill) => skill[list]))].slice(0, MAX_LISTED);
}
