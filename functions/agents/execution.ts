import {
  type Answer,
  type Assignment,
  answeringTask,
  triggeredBy,
  unsupportedNumbers,
  verbatimQuotes,
} from "../../shared/domain/agents/answering.ts";
import { countExecution } from "../../shared/domain/agents/metrics.ts";
import type { Agent } from "../../shared/domain/agents/records.ts";
import { DEFAULT_THRESHOLD, findByTrigger } from "../../shared/domain/agents/skills/finding.ts";
import { findSkills } from "../../shared/domain/agents/skills/records.ts";
import { loadTokenCounter, type TokenCounter } from "../../shared/domain/compression/condensing/tokens.ts";
import { cutToTokens } from "../../shared/domain/compression/cut.ts";
import { findMemories } from "../../shared/domain/memory/records.ts";
import { runVerificationTask } from "../../shared/domain/memory/verification-task.ts";
import { within } from "../../shared/domain/retrieval/deadline.ts";
import { retrieve } from "../../shared/domain/retrieval/retrieve.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { Query } from "../../shared/language/questions/query.ts";
import { type Context, onBehalfOf } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";
import { requireAgent } from "./service.ts";

const DEFAULT_TIMEOUT_MS = 20_000;
const DEFAULT_MAX_TOKENS = 1_000;
const DEFAULT_MEMORIES = 10;
/** Maximum number of skills found by one search of the organization's skills; only the agent's are used. */
const MAX_NEAR_SKILLS = 50;
/** Maximum characters of a displayed memory. */
const EXCERPT_CHARACTERS = 500;

/**
 * Runs an agent on the memories that it may see and with its skills, and counts the execution. Throws CONFLICT for an
 * inactive agent and SEARCH_TIMEOUT if its memories are not found in time.
 */
export async function executeAgent(ctx: Context, id: string, given: Input<typeof schemas.ExecuteAgent>) {
  const agent = await requireAgent(ctx, id);
  if (agent.status !== "active") {
    throw new ServiceError("CONFLICT", `The agent is ${agent.status}. Set its status to active first.`, {
      agent_id: id,
      status: agent.status,
    });
  }
  return runAgent(ctx, agent, given);
}

/** Runs an agent that is already loaded; `extraSkills` are used in addition to the agent's own. */
export async function runAgent(
  ctx: Context,
  agent: Agent,
  given: Input<typeof schemas.ExecuteAgent>,
  extraSkills: string[] = [],
) {
  const startedAt = performance.now();
  try {
    const { execution, counts } = await execute(onBehalfOf(ctx, agent.id), agent, given, extraSkills);
    const duration = performance.now() - startedAt;
    countExecution(ctx, agent.id, counts, duration);
    return { ...execution, performance: { ...execution.performance, execution_time_ms: Math.round(duration) } };
  } catch (error) {
    const nothing = { succeeded: false, tokens: 0, memories: 0, skills: 0 };
    countExecution(ctx, agent.id, nothing, performance.now() - startedAt);
    throw error;
  }
}

async function execute(ctx: Context, agent: Agent, given: Input<typeof schemas.ExecuteAgent>, extraSkills: string[]) {
  const { timeout_ms = DEFAULT_TIMEOUT_MS, max_tokens, memory_limit = DEFAULT_MEMORIES } = given.options;
  const deadline = performance.now() + timeout_ms;
  const maxTokens = Math.min(max_tokens ?? DEFAULT_MAX_TOKENS, agent.config.max_tokens ?? Number.POSITIVE_INFINITY);
  const input = given.input ?? given.prompt ?? "";
  const limit = agent.memory_settings.enabled ? memory_limit : 0;
  const [found, skills, counter] = await Promise.all([
    within(timeout_ms, (signal) => recall(ctx, input, limit, signal)),
    findFittingSkills(ctx, [...new Set([...agent.skills, ...extraSkills])], input, given.context),
    loadTokenCounter(),
  ]);
  const assignment: Assignment = { agent, input, context: given.context, memories: found.memories, skills, maxTokens };
  const { temperature } = agent.config;
  const limits = { timeoutMs: Math.max(1, deadline - performance.now()), maxTokens, temperature };
  const answered = await runVerificationTask(ctx, answeringTask, assignment, limits, agent.model);
  const { result, used_memories, used_skills } = resultOf(assignment, answered.value, found.scores, counter);
  const { usage, cost_usd, provider, model, fallback } = answered;
  const texts = [input, ...found.memories.map(({ content }) => content), ...skills.map(({ action }) => action)];
  const counted = () => [...texts, result.answer].reduce((sum, text) => sum + counter.count(text), 0);
  const tokens = usage.inputTokens + usage.outputTokens || counted();
  const succeeded = result.confidence > 0;
  return {
    execution: {
      agent_id: agent.id,
      execution_id: ctx.ids("execution"),
      status: succeeded ? ("completed" as const) : ("unanswered" as const),
      result,
      used_memories,
      used_skills,
      performance: { tokens_processed: tokens, cost_estimate: cost_usd },
      processing: {
        ...{ provider, model, fallback, requested_model: agent.model },
        ...(temperature !== undefined && { temperature }),
      },
    },
    counts: { succeeded, tokens, memories: used_memories.length, skills: used_skills.length },
  };
}

/** Returns the answer within its length, and the memories and skills that it used. */
function resultOf(assignment: Assignment, value: Answer, scores: ReadonlyMap<string, number>, counter: TokenCounter) {
  const { memories, skills, maxTokens } = assignment;
  const quotes = verbatimQuotes(value.quotes, memories);
  const named = new Set([...value.used_memories, ...quotes.map(({ memory_id }) => memory_id)]);
  const answer = cutToTokens(value.answer, maxTokens, counter);
  const { confidence, explanation } = value;
  const used_memories = memories.filter(({ id }) => named.has(id));
  return {
    result: { answer, confidence, explanation, quotes, unsupported: unsupportedNumbers(answer, assignment) },
    used_memories: used_memories.map(({ id, content }) => ({
      id,
      content: content.slice(0, EXCERPT_CHARACTERS).toWellFormed(),
      score: scores.get(id) ?? 0,
    })),
    used_skills: skills.filter(({ id }) => value.used_skills.includes(id)),
  };
}

/** Returns an agent's skills that fit the input, by meaning or by words of their triggers, best first. */
async function findFittingSkills(ctx: Context, ids: string[], input: string, context: Assignment["context"]) {
  if (ids.length === 0) return [];
  const [near, assigned] = await Promise.all([
    findByTrigger(ctx, { trigger: input, threshold: DEFAULT_THRESHOLD, limit: MAX_NEAR_SKILLS }),
    findSkills(ctx, ids),
  ]);
  const byMeaning = new Map(near.found.map(({ skill, similarity }) => [skill.id, similarity]));
  const byWords = new Map(
    triggeredBy(`${input}\n${JSON.stringify(context)}`, assigned).map(({ skill, fit }) => [skill.id, fit]),
  );
  return assigned
    .map((skill) => ({ ...skill, fit: Math.max(byMeaning.get(skill.id) ?? 0, byWords.get(skill.id) ?? 0) }))
    .filter(({ fit }) => fit > 0)
    .sort((one, other) => other.fit - one.fit);
}

/** The memories nearest to the input that the agent may see: one search and one read of its results. */
async function recall(ctx: Context, query: string, limit: number, signal: AbortSignal) {
  if (limit === 0) return { memories: [], scores: new Map<string, number>() };
  const { ranked } = await retrieve(ctx, { query: new Query(query), depth: limit, signal });
  const scores = new Map(ranked.slice(0, limit).map(({ id, score }) => [id, score]));
  return { memories: await findMemories(ctx, [...scores.keys()]), scores };
}
