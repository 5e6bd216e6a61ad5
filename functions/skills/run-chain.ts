import { timestamp } from "../../shared/kernel/clock.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import type { Context } from "../../shared/platform/context.ts";
import type { JsonObject } from "../../shared/platform/ports.ts";
import { recordUse } from "../../shared/skills/executions.ts";
import { findSkills } from "../../shared/skills/records.ts";
import type { Skill } from "../../shared/skills/skill.ts";
import { carryOut, outcomeOf, type SkillRun } from "./carry-out.ts";
import type { Chain, ChainExecution, ChainFault, ChainStep, StepTrace } from "./chain.ts";
import { ExpressionFailed, type Place, parseExpression } from "./expressions.ts";

/** Of one step's output: the next step reads it, and all of them are kept in one record. */
const STEP_TOKENS = 500;

export interface ChainLimits {
  /** No step begins after it, and none is given longer than what is left of it. */
  timeoutMs: number;
  stepTimeoutMs: number;
  traced: boolean;
}

/** How a chain ends. */
type Ending = Pick<ChainExecution, "status" | "stopped_by" | "error">;

function failed(fault: ChainFault): Ending {
  return { status: "failed", error: fault };
}

/** A chain while it runs. */
interface Run {
  chain: Chain;
  context: JsonObject;
  limits: ChainLimits;
  id: string;
  /** Epoch milliseconds. */
  startedAt: number;
  steps: ChainExecution["steps"];
  trace: StepTrace[];
  spent: { tokens_processed: number; cost_estimate: number };
}

/** Carries out the steps in their order. Never throws for what a step does: the execution tells how far it came and why. */
export async function runChain(
  ctx: Context,
  chain: Chain,
  context: JsonObject,
  limits: ChainLimits,
): Promise<ChainExecution> {
  const spent = { tokens_processed: 0, cost_estimate: 0 };
  const startedAt = ctx.clock();
  const run: Run = { chain, context, limits, id: ctx.ids("execution"), startedAt, steps: [], trace: [], spent };
  try {
    return executionOf(ctx, run, await takeSteps(ctx, run));
  } catch (error) {
    ctx.logger.error("CHAIN_FAILED", { chain: chain.id, execution: run.id, error });
    const message = "Something went wrong on our side. Try again; if it stays, report the execution's id.";
    return executionOf(ctx, run, failed({ code: "INTERNAL_ERROR", message }));
  }
}

async function takeSteps(ctx: Context, run: Run): Promise<Ending> {
  const ids = [...new Set(run.chain.steps.map(({ skill_id }) => skill_id))];
  const skills = new Map((await findSkills(ctx, ids)).map((skill) => [skill.id, skill]));
  const missing = ids.filter((id) => !skills.has(id));
  if (missing.length > 0) return failed(faultOfMissing(missing));
  const unmet = await findUnmet(run);
  if (unmet !== undefined) return unmet;
  for (const step of run.chain.steps) {
    const skill = skills.get(step.skill_id);
    const ending = skill && (await takeStep(ctx, run, step, skill));
    if (ending !== undefined) return ending;
  }
  return { status: "completed" };
}

function faultOfMissing(skill_ids: string[], order?: number): ChainFault {
  const message = `No skill has the id '${skill_ids.join("', '")}'. Make a chain without it.`;
  return { code: "SKILL_NOT_FOUND", message, order, skill_ids };
}

/** How the chain ends where it may not begin. */
async function findUnmet({ chain, context }: Run): Promise<Ending | undefined> {
  for (const condition of chain.conditions) {
    const verdict = await evaluate(condition, "conditions", { context });
    if (verdict.fault) return failed(verdict.fault);
    if (!verdict.holds) return { status: "stopped", stopped_by: condition };
  }
  return undefined;
}

/** Carries out one step; answers how the chain ends, if it does so here. */
async function takeStep(ctx: Context, run: Run, step: ChainStep, skill: Skill): Promise<Ending | undefined> {
  const { order } = step;
  const left = run.startedAt + run.limits.timeoutMs - ctx.clock();
  if (left <= 0) {
    return failed({ code: "TIMEOUT", message: `The ${run.limits.timeoutMs} ms were over before this step.`, order });
  }
  const timeout_ms = Math.min(run.limits.stepTimeoutMs, left);
  const started_at = timestamp(ctx.clock());
  const done = await carryOut(ctx, skill, situationOf(run), { timeoutMs: timeout_ms, maxTokens: STEP_TOKENS });
  const traced = note(run, step, skill, done, { started_at, timeout_ms });
  if (!(await isRecorded(ctx, run, skill, done))) return failed(faultOfMissing([skill.id], order));
  if (!done.result.success) return failed(faultOf(done, order));
  if (step.continue_if === undefined) {
    traced.continued = true;
    return undefined;
  }
  const result: JsonObject = { ...done.result };
  const variables = { context: run.context, last: result, result, step: { order, skill_id: skill.id } };
  const verdict = await evaluate(step.continue_if, "steps", variables);
  if (verdict.fault) return failed({ ...verdict.fault, order });
  traced.continued = verdict.holds;
  return verdict.holds ? undefined : { status: "stopped", stopped_by: step.continue_if };
}

/** What a step is carried out in: the context and, as `last`, what the step before came to. */
function situationOf({ context, steps }: Run): JsonObject {
  const last = steps.at(-1)?.result;
  return last === undefined ? context : { ...context, last: { ...last } };
}

/** Counts the use; false where the skill was deleted meanwhile. */
async function isRecorded(ctx: Context, { id }: Run, skill: Skill, done: SkillRun): Promise<boolean> {
  try {
    await recordUse(ctx, skill, {
      via: "chain",
      chain_execution_id: id,
      result: done.result,
      success: outcomeOf(done),
      execution_time_ms: done.performance.execution_time_ms,
    });
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "SKILL_NOT_FOUND") return false;
    throw error;
  }
}

/** Adds a step to what was done so far. */
function note(
  { steps, trace, spent }: Run,
  { order, continue_if }: ChainStep,
  { id: skill_id, name, version: skill_version }: Skill,
  { result, explanation, provider, model, fallback, performance }: SkillRun,
  timing: Pick<StepTrace, "started_at" | "timeout_ms">,
): StepTrace {
  const { execution_time_ms, tokens_processed, cost_estimate } = performance;
  steps.push({ order, skill_id, name, result, execution_time_ms });
  spent.tokens_processed += tokens_processed;
  spent.cost_estimate += cost_estimate;
  const which = { order, skill_id, skill_version, ...timing, execution_time_ms };
  const traced = { ...which, provider, model, fallback, explanation, continue_if, continued: false };
  trace.push(traced);
  return traced;
}

function faultOf({ result, explanation }: SkillRun, order: number): ChainFault {
  if (result.status === "failed") return { code: "STEP_FAILED", message: explanation || "The step failed.", order };
  const message = `The context lacks what this step asks for: ${result.missing.join(", ")}.`;
  return { code: "CONTEXT_INCOMPLETE", message, order };
}

type Verdict = { holds: boolean; fault?: undefined } | { fault: ChainFault };

async function evaluate(text: string, place: Place, variables: JsonObject): Promise<Verdict> {
  try {
    const expression = await parseExpression(text, place);
    return { holds: expression(variables) };
  } catch (error) {
    if (!(error instanceof ExpressionFailed)) throw error;
    return { fault: { code: "EXPRESSION_FAILED", message: `${text}: ${error.message}` } };
  }
}

function executionOf(ctx: Context, run: Run, ending: Ending): ChainExecution {
  const { chain, context, limits, id, startedAt, steps, trace, spent } = run;
  const now = ctx.clock();
  return {
    id,
    org: ctx.org,
    chain_id: chain.id,
    ...ending,
    context,
    steps,
    result: steps.at(-1)?.result ?? null,
    ...(limits.traced ? { trace } : {}),
    performance: { execution_time_ms: now - startedAt, ...spent },
    started_at: timestamp(startedAt),
    completed_at: timestamp(now),
    created_by: ctx.principal.id,
  };
}
