import { cutToTokens } from "../../shared/compression/cut.ts";
import { loadTokenCounter, type TokenCounter } from "../../shared/compression/tokens.ts";
import { excerpt } from "../../shared/kernel/wording.ts";
import { askVerifier, type PaidAnswer } from "../../shared/memory/asking.ts";
import type { Context } from "../../shared/platform/context.ts";
import type { JsonObject } from "../../shared/platform/ports.ts";
import type { Skill } from "../../shared/skills/skill.ts";
import { type CarriedOut, executingTask } from "../../shared/skills/tasks/executing.ts";

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
    status: CarriedOut["status"];
    success: boolean;
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
  performance: {
    execution_time_ms: number;
    tokens_processed: number;
    /** US dollars. */
    cost_estimate: number;
  };
}

/** Carries out a skill's action in a context, by a model or by rule, and measures what that took. */
export async function carryOut(
  ctx: Context,
  skill: Skill,
  context: JsonObject,
  { timeoutMs, maxTokens }: RunLimits,
): Promise<SkillRun> {
  const startedAt = performance.now();
  const order = { skill, context, maxTokens };
  const [answer, counter] = await Promise.all([
    askVerifier(ctx, executingTask, order, { timeoutMs, maxTokens }),
    loadTokenCounter(),
  ]);
  const { status, output, context_used, missing, explanation } = answer.value;
  const kept = cutToTokens(output.slice(0, MAX_OUTPUT_LENGTH).toWellFormed(), maxTokens, counter);
  return {
    result: {
      status,
      success: status === "completed",
      output: kept,
      steps: kept.split(PART).flatMap((part) => part.trim() || []),
      context_used: context_used.slice(0, MAX_NAMES),
      missing: missing.slice(0, MAX_NAMES),
      truncated: kept.length < output.length,
    },
    explanation: excerpt(explanation, MAX_EXPLANATION_LENGTH),
    provider: answer.provider,
    model: answer.model,
    fallback: answer.fallback,
    performance: {
      execution_time_ms: Math.round(performance.now() - startedAt),
      tokens_processed: tokensOf(answer, [skill.action, JSON.stringify(context), kept], counter),
      cost_estimate: answer.cost_usd,
    },
  };
}

/** What is known of how it went: a context that says too little is not the skill's failure. */
export function outcomeOf({ result }: SkillRun): boolean | undefined {
  return result.status === "incomplete" ? undefined : result.success;
}

/** As a model counted them; what the built-in rules read and wrote is counted here. */
function tokensOf({ usage }: PaidAnswer<CarriedOut>, texts: string[], counter: TokenCounter): number {
  const counted = usage.inputTokens + usage.outputTokens;
  return counted > 0 ? counted : texts.reduce((sum, text) => sum + counter.count(text), 0);
}
