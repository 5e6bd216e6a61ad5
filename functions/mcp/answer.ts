import { answeringTask, unsupportedNumbers } from "../../shared/domain/agents/answering.ts";
import { findMemories } from "../../shared/domain/memory/records.ts";
import { runVerificationTask } from "../../shared/domain/memory/verification-task.ts";
import { BUILT_IN } from "../../shared/domain/models/built-in-model.ts";
import { asLine } from "../../shared/kernel/text/prompt-text.ts";
import type { Context } from "../../shared/runtime/context.ts";

const MAX_TOKENS = 300;
const TIMEOUT_MS = 20_000;

export interface Answer {
  answer: string;
  /** Numbers and dates of the answer that no memory has. */
  unsupported: string[];
}

/**
 * Has the configured language model answer a question from memories. Returns undefined if no model is configured, if it
 * failed, or if the memories do not answer.
 */
export async function answerFrom(ctx: Context, input: string, memoryIds: string[]): Promise<Answer | undefined> {
  const memories = await findMemories(ctx, [...new Set(memoryIds)]);
  const agent = { name: "Memory", config: {} };
  const assignment = { agent, input, context: {}, memories, skills: [], maxTokens: MAX_TOKENS };
  const limits = { timeoutMs: TIMEOUT_MS, maxTokens: MAX_TOKENS };
  const { value, provider, fallback } = await runVerificationTask(ctx, answeringTask, assignment, limits);
  if (provider === BUILT_IN.provider || fallback || value.confidence === 0) return undefined;
  return { answer: asLine(value.answer), unsupported: unsupportedNumbers(value.answer, assignment) };
}
