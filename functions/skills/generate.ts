import { pooledConfidence } from "../../shared/domain/agents/skills/confidence.ts";
import { DEFAULT_THRESHOLD, type FoundSkill, findByTrigger } from "../../shared/domain/agents/skills/finding.ts";
import { findSkillIdByName, getSkills } from "../../shared/domain/agents/skills/records.ts";
import type { Skill } from "../../shared/domain/agents/skills/skill.ts";
import { draftingTask } from "../../shared/domain/agents/skills/tasks/drafting.ts";
import { type Extracted, extractingTask } from "../../shared/domain/agents/skills/tasks/extracting.ts";
import { synthesizingTask } from "../../shared/domain/agents/skills/tasks/synthesizing.ts";
import { presentSkill } from "../../shared/domain/agents/skills/wire.ts";
import { runVerificationTask } from "../../shared/domain/memory/verification-task.ts";
import { isMadeByRules } from "../../shared/domain/models/built-in-model.ts";
import { invalid, ServiceError } from "../../shared/kernel/errors.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { analyse } from "../../shared/kernel/text/text.ts";
import type { LanguageAnswer } from "../../shared/ports/language-model.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";
import { nameTaken, storeSkill } from "./store.ts";

const MIN_SKILLS = 2;
/** Maximum characters of all triggers and actions together. */
const MAX_MERGED_LENGTH = 40_000;
/** Maximum tags and examples of a skill, as in creation. */
const MAX_LISTED = 20;

/** The producer of an answer for responses. */
function processingOf({ provider, model, fallback }: LanguageAnswer<unknown>) {
  const produced_by = isMadeByRules({ provider, fallback }) ? ("rules" as const) : ("model" as const);
  return { provider, model, fallback, produced_by };
}

/** Extracts skills from a text and stores those with enough confidence, each with a pending review. */
export async function extractSkills(ctx: Context, request: Input<typeof schemas.ExtractSkills>) {
  const { content, domain, confidence_threshold } = request;
  const answer = await runVerificationTask(ctx, extractingTask, { content, domain });
  const confident = answer.value.skills.filter(({ confidence }) => confidence >= confidence_threshold);
  const skipped: { name: string; trigger: string; skill_id?: string }[] = [];
  const stored: Skill[] = [];
  for (const found of confident) {
    const skill = await storeUnlessKnown(ctx, found, domain);
    if ("id" in skill) stored.push(skill);
    else skipped.push(skill);
  }
  return {
    extracted_skills: stored.map(presentSkill),
    skipped,
    below_threshold: answer.value.skills.length - confident.length,
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

/** Skills that fit a trigger, best first, and drafts from the context, ordered by confidence. */
export async function suggestSkills(ctx: Context, request: Input<typeof schemas.SuggestSkills>) {
  const { trigger, context, domain, limit } = request;
  const { found } = await findByTrigger(ctx, { trigger, domain, threshold: DEFAULT_THRESHOLD, limit });
  const known = found.map(({ skill }) => skill);
  const answer = await runVerificationTask(ctx, draftingTask, { ...request, known });
  const ranked = [
    ...found.map((match) => ({ fit: match.similarity, suggestion: suggestionOf(match, trigger) })),
    ...answer.value.drafts.map((draft) => ({
      fit: draft.confidence,
      suggestion: { ...draft, source: "draft" as const },
    })),
  ].sort((one, other) => other.fit - one.fit);
  const suggestions = ranked.slice(0, limit).map(({ suggestion }) => suggestion);
  const total_suggestions = suggestions.length;
  return { trigger, context, suggestions, total_suggestions, processing: processingOf(answer) };
}

function suggestionOf({ skill, similarity }: FoundSkill, requested: string) {
  const { id: skill_id, name, trigger, action, confidence, usage_count, verified } = skill;
  const terms = new Set(analyse(trigger));
  const shared = [...new Set(analyse(requested))].filter((term) => terms.has(term)).map((term) => `'${term}'`);
  const words = shared.length === 0 ? "" : `, sharing ${shared.join(", ")}`;
  const status = `used ${usage_count} times, ${verified ? "verified" : "not verified"}`;
  const explanation = `An existing skill with a similarity of ${similarity.toFixed(2)}${words}; ${status}.`;
  return { name, trigger, action, confidence, explanation, source: "existing" as const, skill_id };
}

/** Merges several skills into a new one; its confidence pools all their uses. */
export async function synthesizeSkills(ctx: Context, given: Input<typeof schemas.SynthesizeSkills>) {
  const { skill_ids, name, description } = given;
  const skills = await getSkills(ctx, skill_ids);
  requireText(skills);
  refuseTooLong(skills);
  const holder = await findSkillIdByName(ctx, name);
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
      tags: unionOf(skills, "tags"),
      examples: unionOf(skills, "examples"),
      metadata: description === undefined ? {} : { description },
    },
    { reason: "synthesized", source_skills: skill_ids },
  );
  const mean = skills.reduce((sum, source) => sum + source.confidence, 0) / skills.length;
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

function requireText(skills: Skill[]): void {
  const hasText = ({ trigger, action }: Skill) => analyse(`${trigger} ${action}`).length > 0;
  if (skills.length >= MIN_SKILLS && skills.some(hasText)) return;
  throw new ServiceError(
    "INSUFFICIENT_RESULTS",
    `A synthesis needs at least ${MIN_SKILLS} skills with text. Name more skills.`,
    { skill_ids: skills.map(({ id }) => id) },
  );
}

/** Throws VALIDATION_ERROR for merged text that is too long to be stored completely. */
function refuseTooLong(skills: Skill[]): void {
  const length = skills.reduce((sum, { trigger, action }) => sum + trigger.length + action.length, 0);
  if (length <= MAX_MERGED_LENGTH) return;
  const problem = `triggers and actions have ${length} characters in total, more than ${MAX_MERGED_LENGTH}: name fewer`;
  throw invalid({ field: "skill_ids", problem });
}

/** The most frequent domain; the first one in a tie. */
function commonDomain(skills: Skill[]): string {
  const counts = Map.groupBy(skills, ({ domain }) => domain);
  const [largest] = [...counts].sort(([, one], [, other]) => other.length - one.length);
  return largest?.[0] ?? "general";
}

function unionOf(skills: Skill[], list: "tags" | "examples"): string[] {
  return [...new Set(skills.flatMap((skill) => skill[list]))].slice(0, MAX_LISTED);
}
