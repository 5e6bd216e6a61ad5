import type * as z from "zod";
import { recordUse } from "../../shared/domain/agents/skills/executions.ts";
import type { Skill } from "../../shared/domain/agents/skills/skill.ts";
import {
  type ExecutionAnswer,
  type ExecutionOrder,
  executingTask,
} from "../../shared/domain/agents/skills/tasks/executing.ts";
import { loadTokenCounter, type TokenCounter } from "../../shared/domain/compression/condensing/tokens.ts";
import { cutToTokens } from "../../shared/domain/compression/cut.ts";
import { type PaidAnswer, runVerificationTask } from "../../shared/domain/memory/verification-task.ts";
import { isMadeByRules } from "../../shared/domain/models/built-in-model.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { excerpt } from "../../shared/kernel/strings.ts";
import type { JsonObject } from "../../shared/ports/json.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { ExpressionError, parseExpression, requireValidExpressions } from "./expressions.ts";
import type * as schemas from "./schemas.ts";
import { getSkill, refuseRetired } from "./service.ts";

/** Maximum characters of an output and an explanation: a chain's run stores many of them in one record. */
const MAX_OUTPUT_LENGTH = 4_000;
const MAX_EXPLANATION_LENGTH = 1_000;
const MAX_NAMES = 20;
const STEP_BOUNDARY = /\n+|(?<=[.!?;])\s+(?=\p{Lu}|\d+[.)])/u;

export interface RunLimits {
  timeoutMs: number;
  /** Limit of the output. */
  maxTokens: number;
}

type StepResult = z.output<typeof schemas.StepResult>;

/** The result of executing a skill once. */
export interface SkillRun {
  result: StepResult;
  explanation: string;
  provider: string;
  model: string;
  fallback: boolean;
  /** Whether the step exceeded its time limit. */
  isLate: boolean;
  performance: z.output<typeof schemas.SkillPerformance>;
}

/**
 * Executes a skill's action in a context, with a model or as a template, and measures it. A check, if given, decides
 * whether a model's result is a success.
 */
export async function runSkill(
  ctx: Context,
  skill: Skill,
  context: JsonObject,
  { timeoutMs, maxTokens }: RunLimits,
  check?: string,
): Promise<SkillRun> {
  const startedAt = performance.now();
  const order: ExecutionOrder = { skill, context, maxTokens };
  const [answer, counter] = await Promise.all([
    runVerificationTask(ctx, executingTask, order, { timeoutMs, maxTokens }),
    loadTokenCounter(),
  ]);
  const { output, context_used, missing, explanation } = answer.value;
  const kept = cutToTokens(output.slice(0, MAX_OUTPUT_LENGTH).toWellFormed(), maxTokens, counter);
  const isLate = answer.isLate === true;
  const unchecked = {
    ...stateOf(answer),
    output: kept,
    steps: kept.split(STEP_BOUNDARY).flatMap((part) => part.trim() || []),
    context_used: context_used.slice(0, MAX_NAMES),
    missing: missing.slice(0, MAX_NAMES),
    truncated: kept.length < output.length,
  };
  return {
    result: check === undefined ? unchecked : await applyCheck(unchecked, check, context),
    explanation: isLate ? `The model took longer than ${timeoutMs} ms.` : excerpt(explanation, MAX_EXPLANATION_LENGTH),
    provider: answer.provider,
    model: answer.model,
    fallback: answer.fallback,
    isLate,
    performance: {
      execution_time_ms: Math.round(performance.now() - startedAt),
      tokens_processed: tokensOf(answer, [skill.action, JSON.stringify(context), kept], counter),
      cost_estimate: answer.cost_usd,
    },
  };
}

type ResultState = Pick<StepResult, "status" | "success" | "produced_by" | "outcome">;

/** The state of an answer by its producer: a filled template is not an execution, and its outcome is unknown. */
function stateOf(answer: PaidAnswer<ExecutionAnswer>): ResultState {
  const { status } = answer.value;
  if (answer.isLate) return { status: "failed", success: false, produced_by: "template", outcome: "failure" };
  if (isMadeByRules(answer)) {
    const state = status === "completed" ? "prepared" : status;
    const success = state === "prepared" ? null : false;
    return { status: state, success, produced_by: "template", outcome: "unknown" };
  }
  const outcome = status === "failed" ? "failure" : "unknown";
  return { status, success: status === "completed", produced_by: "model", outcome };
}

/**
 * Returns the result with the outcome of its check. The check runs only on a model's completed result, because a
 * template repeats the skill's own words.
 */
async function applyCheck(result: StepResult, expression: string, context: JsonObject): Promise<StepResult> {
  if (result.status !== "completed") return { ...result, check: { expression, passed: null } };
  try {
    const passes = await parseExpression(expression, "checks");
    const passed = passes({ context, result: variableOf(result) });
    const check = { expression, passed };
    return {
      ...result,
      status: passed ? "completed" : "failed",
      success: passed,
      outcome: passed ? "success" : "failure",
      check,
    };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { ...result, check: { expression, passed: null, problem: error.message } };
  }
}

/**
 * A result as expressions see it: `success` is true or false, and its words are available only if a model produced it,
 * because a template repeats the skill's words.
 */
export function variableOf({ output, steps, check, ...result }: StepResult): JsonObject {
  const known = { ...result, success: result.success === true };
  return result.produced_by === "model" ? { ...known, output, steps } : known;
}

/** Returns whether the check passed, if it ran. A model's judgement of its own work is no evidence. */
export function evidenceIn({ result: { check } }: SkillRun): boolean | undefined {
  return check?.passed ?? undefined;
}

/** Returns the model's own counts or, for the built-in rules, tokens counted here. */
function tokensOf({ usage }: PaidAnswer<ExecutionAnswer>, texts: string[], counter: TokenCounter): number {
  const counted = usage.inputTokens + usage.outputTokens;
  return counted > 0 ? counted : texts.reduce((sum, text) => sum + counter.count(text), 0);
}

/**
 * Executes a skill in a context, stores the result and counts the use; only a check that ran changes the confidence.
 */
export async function executeSkill(ctx: Context, id: string, { context, options }: Input<typeof schemas.ExecuteSkill>) {
  const skill = await getSkill(ctx, id);
  refuseRetired(skill);
  const { check } = options;
  if (check !== undefined) await requireValidExpressions([{ field: "options.check", text: check, location: "checks" }]);
  const limits = { timeoutMs: options.timeout_ms, maxTokens: options.max_tokens };
  const run = await runSkill(ctx, skill, context, limits, check);
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
