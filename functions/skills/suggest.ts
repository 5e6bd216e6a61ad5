import { type FoundSkill, findByTrigger, USUAL_THRESHOLD } from "../../shared/domain/agents/skills/finding.ts";
import { type Draft, draftingTask } from "../../shared/domain/agents/skills/tasks/drafting.ts";
import { runVerificationTask } from "../../shared/domain/memory/verification-task.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { analyse } from "../../shared/kernel/text/text.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { processingOf } from "./processing.ts";
import type * as schemas from "./schemas.ts";

/** Skills that fit a trigger, best first, and drafts from the context, ordered by confidence. */
export async function suggestSkills(ctx: Context, request: Input<typeof schemas.SuggestSkills>) {
  const { trigger, context, domain, limit } = request;
  const { found } = await findByTrigger(ctx, { trigger, domain, threshold: USUAL_THRESHOLD, limit });
  const known = found.map(({ skill }) => skill);
  const answer = await runVerificationTask(ctx, draftingTask, {
    trigger,
    context,
    domain,
    known,
    limit,
  });
  const ranked = [
    ...found.map((match) => ({ fit: match.similarity, suggestion: ofExisting(match, trigger) })),
    ...answer.value.drafts.map((draft) => ({ fit: draft.confidence, suggestion: ofDraft(draft) })),
  ].sort((one, other) => other.fit - one.fit);
  const suggestions = ranked.slice(0, limit).map(({ suggestion }) => suggestion);
  return {
    trigger,
    context,
    suggestions,
    total_suggestions: suggestions.length,
    processing: processingOf(answer),
  };
}

function ofExisting({ skill, similarity }: FoundSkill, asked: string) {
  const { id: skill_id, name, trigger, action, confidence, usage_count, verified } = skill;
  const own = new Set(analyse(trigger));
  const shared = [...new Set(analyse(asked))].filter((term) => own.has(term)).map((term) => `'${term}'`);
  const words = shared.length === 0 ? "" : `, sharing ${shared.join(", ")}`;
  const standing = `used ${usage_count} times, ${verified ? "verified" : "not verified"}`;
  const explanation = `A skill that there is: it fits by ${similarity.toFixed(2)}${words}; ${standing}.`;
  return { name, trigger, action, confidence, explanation, source: "existing" as const, skill_id };
}

function ofDraft(draft: Draft) {
  return { ...draft, source: "draft" as const };
}
