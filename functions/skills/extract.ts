import type { Skill } from "../../shared/domain/agents/skills/skill.ts";
import { type Extracted, extractingTask } from "../../shared/domain/agents/skills/tasks/extracting.ts";
import { presentSkill } from "../../shared/domain/agents/skills/wire.ts";
import { runVerificationTask } from "../../shared/domain/memory/verification-task.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { processingOf } from "./processing.ts";
import type * as schemas from "./schemas.ts";
import { storeSkill } from "./store.ts";

/** Stores the skills of a text that are certain enough, each with a pending review. */
export async function extractSkills(ctx: Context, request: Input<typeof schemas.ExtractSkills>) {
  const { content, domain, confidence_threshold } = request;
  const answer = await runVerificationTask(ctx, extractingTask, { content, domain });
  const sure = answer.value.skills.filter(({ confidence }) => confidence >= confidence_threshold);
  const skipped: { name: string; trigger: string; skill_id?: string }[] = [];
  const stored: Skill[] = [];
  for (const found of sure) {
    const skill = await storeUnlessKnown(ctx, found, domain);
    if ("id" in skill) stored.push(skill);
    else skipped.push(skill);
  }
  return {
    extracted_skills: stored.map(presentSkill),
    skipped,
    below_threshold: answer.value.skills.length - sure.length,
    total_extracted: stored.length,
    processing: processingOf(answer),
  };
}

async function storeUnlessKnown(ctx: Context, found: Extracted["skills"][number], domain: string) {
  try {
    return await storeSkill(ctx, { ...found, domain, tags: [], examples: [], metadata: {} }, { reason: "extracted" });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "SKILL_NAME_EXISTS") throw error;
    const { name, trigger } = found;
    return { name, trigger, skill_id: error.details.skill_id as string | undefined };
  }
}
