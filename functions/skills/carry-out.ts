import { cutToTokens } from "../../shared/compression/cut.ts";
import { loadTokenCounter, type TokenCounter } from "../../shared/compression/tokens.ts";
import { excerpt } from "../../shared/kernel/wording.ts";
import { askVerifier, type PaidAnswer } from "../../shared/memory/asking.ts";
import { isMadeByRules } from "../../shared/models/built-in-model.ts";
import type { Context } from "../../shared/platform/context.ts";
import type { JsonObject } from "../../shared/platform/ports.ts";
import type { Skill } from "../../shared/skills/skill.ts";
import {
  type CarriedOut,
  type ExecutionOrder,
  type ExecutionState,
  executingTask,
  type Outcome,
  type Producer,
} from "../../shared/skills/tasks/executing.ts";
import { ExpressionFailed, parseExpression } from "./expressions.ts";

/** Most characters of an output and an explanation: runs of chains hold many of them in one record. */
const MAX_OUTPUT_LENGTH = 4_000;
const MAX_EXPLANATION_LENGTH = 1_000;
const MAX_NAMES = 20;
const PART = /\n+|(?<=[.!?;])\s+(?=\p{Lu}|\d+[.)])/u;

export interface RunLimits {
  timeoutMs: number;
  /** Of the output. */
  maxTokens: number;
}

/** What carrying out a skill once came to. */
export interface SkillRun {
  result: {
    status: ExecutionState;
    /** As the model says, or the check; null where a template was filled, as nobody knows. */
    success: boolean | null;
    produced_by: Producer;
    outcome: Outcome;
    check?: CheckRun;
    output: string;
    steps: string[];
    context_used: string[];
    missing: string[];
    truncated: boolean;
  };
  explanation: string;
  provider: string;
  model: string;
  fallback: boolean;
  /** The step took longer than it may. */
  isLate: boolean;
  performance: {
    execution_time_ms: number;
    tokens_processed: number;
    /** US dollars. */
    cost_estimate: number;
  };
}

/** A check of a result; `passed` is null where it did not run, or had no answer. */
export type CheckRun = { expression: string; passed: boolean | null; problem?: string };

/**
 * Carries out a skill's action in a context, by a model or by a template, and measures what that took. A check, if one is
 * given, decides whether a model's result is a success.
 */
export async function carryOut(
  ctx: Context,
  skill: Skill,
  context: JsonObject,
  { timeoutMs, maxTokens }: RunLimits,
  check?: string,
): Promise<SkillRun> {
  const startedAt = performance.now();
  const order: ExecutionOrder = { skill, context, maxTokens };
  const [answer, counter] = await Promise.all([
    askVerifier(ctx, executingTask, order, { timeoutMs, maxTokens }),
    loadTokenCounter(),
  ]);
  const { output, context_used, missing, explanation } = answer.value;
  const kept = cutToTokens(output.slice(0, MAX_OUTPUT_LENGTH).toWellFormed(), maxTokens, counter);
  const isLate = answer.isLate === true;
  const claimed = {
    ...stateOf(answer),
    output: kept,
    steps: kept.split(PART).flatMap((part) => part.trim() || []),
    context_used: context_used.slice(0, MAX_NAMES),
    missing: missing.slice(0, MAX_NAMES),
    truncated: kept.length < output.length,
  };
  return {
    result: check === undefined ? claimed : await judged(claimed, check, context),
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

type Claim = Pick<SkillRun["result"], "status" | "success" | "produced_by" | "outcome">;

/** What is known of an answer by who made it: a filled template is no execution, and its outcome is unknown. */
function stateOf(answer: PaidAnswer<CarriedOut>): Claim {
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

/** A result after its check, which runs on what a model completed alone: the words of a template are the skill's own. */
async function judged(
  result: SkillRun["result"],
  expression: string,
  context: JsonObject,
): Promise<SkillRun["result"]> {
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
    if (!(error instanceof ExpressionFailed)) throw error;
    return { ...result, check: { expression, passed: null, problem: error.message } };
  }
}

/**
 * A result as expressions know it: `success` is true or false, and only where a model made the result they can speak of its
 * words, because a template repeats those of the skill whatever happens.
 */
export function variableOf({ output, steps, check, ...result }: SkillRun["result"]): JsonObject {
  const known = { ...result, success: result.success === true };
  return result.produced_by === "model" ? { ...known, output, steps } : known;
}

/** The reported outcome that is evidence of the skill: a check that ran. What a model says of its own work is none. */
export function evidenceIn({ result: { check } }: SkillRun): boolean | undefined {
  return check?.passed ?? undefined;
}

/** As a model counted them; what the built-in rules read and wrote is counted here. */
function tokensOf({ usage }: PaidAnswer<CarriedOut>, texts: string[], counter: TokenCounter): number {
  const counted = usage.inputTokens + usage.outputTokens;
  return counted > 0 ? counted : texts.reduce((sum, text) => sum + counter.count(text), 0);
}
