import {
  type Assignment,
  answeringTask,
  triggeredBy,
  unsupportedFigures,
  verbatimQuotes,
} from "../../shared/agents/answering.ts";
import { countExecution } from "../../shared/agents/figures.ts";
import type { Agent } from "../../shared/agents/records.ts";
import { cutToTokens } from "../../shared/compression/cut.ts";
import { loadTokenCounter } from "../../shared/compression/tokens.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import { askVerifier } from "../../shared/memory/asking.ts";
import { findMemories } from "../../shared/memory/records.ts";
import { type Context, onBehalfOf } from "../../shared/platform/context.ts";
import { within } from "../../shared/retrieval/deadline.ts";
import { retrieve } from "../../shared/retrieval/retrieve.ts";
import { findByTrigger, USUAL_THRESHOLD } from "../../shared/skills/finding.ts";
import { findSkills } from "../../shared/skills/records.ts";
import type * as schemas from "./schemas.ts";
import { type Input, requireAgent } from "./service.ts";

const DEFAULT_TIMEOUT_MS = 20_000;
const DEFAULT_MAX_TOKENS = 1_000;
const DEFAULT_MEMORIES = 10;
/** Skills of the organization that are looked through for those of the agent. */
const MAX_NEAR_SKILLS = 50;
/** Of what is shown of a memory. */
const EXCERPT_CHARACTERS = 500;

/**
 * Has an agent answer from what it may see and by its skills, and counts that. Throws CONFLICT for an agent that is not
 * active and SEARCH_TIMEOUT when its memories are not found in time.
 */
export async function executeAgent(ctx: Context, id: string, given: Input<typeof schemas.ExecuteAgent>) {
  const agent = await requireAgent(ctx, id);
  if (agent.status !== "active") {
    throw new ServiceError("CONFLICT", `The agent is ${agent.status}. Set its status to active first.`, {
      agent_id: id,
      status: agent.status,
    });
  }
  return carryOut(ctx, agent, given);
}

/** The same for an agent that is at hand; `lent` are skills that it has for this once. */
export async function carryOut(
  ctx: Context,
  agent: Agent,
  given: Input<typeof schemas.ExecuteAgent>,
  lent: string[] = [],
) {
  const startedAt = performance.now();
  try {
    const { execution, counts } = await execute(onBehalfOf(ctx, agent.id), agent, given, lent);
    const duration = performance.now() - startedAt;
    countExecution(ctx, agent.id, counts, duration);
    return { ...execution, performance: { ...execution.performance, execution_time_ms: Math.round(duration) } };
  } catch (error) {
    const nothing = { succeeded: false, tokens: 0, memories: 0, skills: 0 };
    countExecution(ctx, agent.id, nothing, performance.now() - startedAt);
    throw error;
  }
}

async function execute(own: Context, agent: Agent, given: Input<typeof schemas.ExecuteAgent>, lent: string[]) {
  const { timeout_ms = DEFAULT_TIMEOUT_MS, max_tokens, memory_limit = DEFAULT_MEMORIES } = given.options;
  const deadline = performance.now() + timeout_ms;
  const maxTokens = Math.min(max_tokens ?? DEFAULT_MAX_TOKENS, agent.config.max_tokens ?? Number.POSITIVE_INFINITY);
  const input = given.input ?? given.prompt ?? "";
  const limit = agent.memory_settings.enabled ? memory_limit : 0;
  const [found, skills, counter] = await Promise.all([
    within(timeout_ms, (signal) => recall(own, input, limit, signal)),
    findFitting(own, [...new Set([...agent.skills, ...lent])], input, given.context),
    loadTokenCounter(),
  ]);
  const assignment: Assignment = { agent, input, context: given.context, memories: found.memories, skills, maxTokens };
  const { temperature } = agent.config;
  const limits = { timeoutMs: Math.max(1, deadline - performance.now()), maxTokens, temperature };
  const asked = await askVerifier(own, answeringTask, assignment, limits, agent.model);
  const { value, usage, cost_usd, provider, model, fallback } = asked;
  const quotes = verbatimQuotes(value.quotes, found.memories);
  const named = new Set([...value.used_memories, ...quotes.map(({ memory_id }) => memory_id)]);
  const used_memories = found.memories.filter(({ id }) => named.has(id));
  const used_skills = skills.filter((skill) => value.used_skills.includes(skill.id));
  const answer = cutToTokens(value.answer, maxTokens, counter);
  const read = [input, ...found.memories.map(({ content }) => content), ...skills.map(({ action }) => action), answer];
  const tokens = usage.inputTokens + usage.outputTokens || read.reduce((sum, text) => sum + counter.count(text), 0);
  const isAnswered = value.confidence > 0;
  return {
    execution: {
      agent_id: agent.id,
      execution_id: own.ids("execution"),
      status: isAnswered ? ("completed" as const) : ("unanswered" as const),
      result: {
        answer,
        confidence: value.confidence,
        explanation: value.explanation,
        quotes,
        unsupported: unsupportedFigures(answer, assignment),
      },
      used_memories: used_memories.map(({ id, content }) => ({
        id,
        content: content.slice(0, EXCERPT_CHARACTERS).toWellFormed(),
        score: found.scores.get(id) ?? 0,
      })),
      used_skills,
      performance: { tokens_processed: tokens, cost_estimate: cost_usd },
      processing: {
        provider,
        model,
        fallback,
        requested_model: agent.model,
        ...(temperature !== undefined && { temperature }),
      },
    },
    counts: { succeeded: isAnswered, tokens, memories: used_memories.length, skills: used_skills.length },
  };
}

/** Those of an agent's skills that the input calls for, by meaning or by the words of their triggers, best first. */
async function findFitting(
  own: Context,
  ids: string[],
  input: string,
  context: Assignment["context"],
): Promise<Assignment["skills"]> {
  if (ids.length === 0) return [];
  const [near, assigned] = await Promise.all([
    findByTrigger(own, { trigger: input, threshold: USUAL_THRESHOLD, limit: MAX_NEAR_SKILLS }),
    findSkills(own, ids),
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

/** What the agent may see that is nearest to the input: one search, and one read of what it found. */
async function recall(own: Context, query: string, limit: number, signal: AbortSignal) {
  if (limit === 0) return { memories: [], scores: new Map<string, number>() };
  const { ranked } = await retrieve(own, { query, depth: limit, signal });
  const best = ranked.slice(0, limit);
  const memories = await findMemories(
    own,
    best.map(({ id }) => id),
  );
  return { memories, scores: new Map(best.map(({ id, score }) => [id, score])) };
}
