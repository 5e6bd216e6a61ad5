import { recordUse } from "../../shared/domain/agents/skills/executions.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { carryOut, evidenceIn } from "./carry-out.ts";
import type * as schemas from "./schemas.ts";
import { getSkill, refuseRetired } from "./service.ts";
import { refuseUnfit } from "./unfit-expressions.ts";

/**
 * Executes a skill in a context, stores the result and counts the use; only a check that ran changes the confidence.
 */
export async function executeSkill(ctx: Context, id: string, { context, options }: Input<typeof schemas.ExecuteSkill>) {
  const skill = await getSkill(ctx, id);
  refuseRetired(skill);
  const { check } = options;
  if (check !== undefined) await refuseUnfit([{ field: "options.check", text: check, place: "checks" }]);
  const limits = { timeoutMs: options.timeout_ms, maxTokens: options.max_tokens };
  const run = await carryOut(ctx, skill, context, limits, check);
  const { provider, model, fallback, explanation, performance } = run;
  const used = await recordUse(ctx, skill, {
    via: "execute",
    context,
    result: run.result,
    success: evidenceIn(run),
    execution_time_ms: performance.execution_time_ms,
  });
  const { usage_count, confidence } = used.skill;
  const explained = options.include_explanation ? { explanation } : {};
  return {
    skill_id: id,
    execution_id: used.execution.id,
    result: { ...run.result, ...explained, provider, model, fallback },
    performance,
    updated_skill: { usage_count, confidence },
  };
}
