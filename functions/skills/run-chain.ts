import { recordUse } from "../../shared/domain/agents/skills/executions.ts";
import { findSkills } from "../../shared/domain/agents/skills/records.ts";
import { isRetired, type Skill } from "../../shared/domain/agents/skills/skill.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import type { JsonObject } from "../../shared/ports/json.ts";
import type { Context } from "../../shared/runtime/context.ts";
import {
  type Chain,
  type ChainExecution,
  type ChainFault,
  type ChainStep,
  END,
  MAX_STEPS_RUN,
  type StepTrace,
  type Target,
} from "./chain-records.ts";
import { evidenceIn, runSkill, type SkillRun, variableOf } from "./execute.ts";
import { ExpressionError, type Location, parseExpression } from "./expressions.ts";
import type * as schemas from "./schemas.ts";

/** Limit of one step's output: the next step reads it, and all outputs are stored in one record. */
const STEP_TOKENS = 500;

/** No step starts after `timeout_ms`, and none gets more than the remaining time. */
type ChainOptions = Input<typeof schemas.ExecuteChain>["options"];

/** How a chain ends. */
type Ending = Pick<ChainExecution, "status" | "stopped_by" | "error">;
/** What follows a step: another one, or the end. */
type Next = { target: Target; ending?: undefined } | { ending: Ending };

function failed(fault: ChainFault): Ending {
  return { status: "failed", error: fault };
}

/** A running chain. */
interface Run {
  chain: Chain;
  skills: Map<string, Skill>;
  context: JsonObject;
  options: ChainOptions;
  id: string;
  /** Epoch milliseconds. */
  startedAt: number;
  steps: ChainExecution["steps"];
  trace: StepTrace[];
  spent: { tokens_processed: number; cost_estimate: number };
}

/**
 * Executes the steps from the first one along their targets. Never throws because of a step: the execution records it.
 */
export async function runChain(ctx: Context, chain: Chain, context: JsonObject, options: ChainOptions) {
  const run: Run = {
    ...{ chain, context, options, skills: new Map(), id: ctx.ids("execution"), startedAt: ctx.clock() },
    ...{ steps: [], trace: [], spent: { tokens_processed: 0, cost_estimate: 0 } },
  };
  try {
    return executionOf(ctx, run, await runSteps(ctx, run));
  } catch (error) {
    ctx.logger.error("CHAIN_FAILED", { chain: chain.id, execution: run.id, error });
    const message = "An internal error occurred. Try again. If it persists, report the execution's id.";
    return executionOf(ctx, run, failed({ code: "INTERNAL_ERROR", message }));
  }
}

async function runSteps(ctx: Context, run: Run): Promise<Ending> {
  const { steps } = run.chain;
  const earlyEnding = (await loadSkills(ctx, run)) ?? (await findUnmet(run));
  if (earlyEnding !== undefined) return earlyEnding;
  let target: Target = steps[0]?.order ?? END;
  while (target !== END) {
    const step: ChainStep | undefined = steps.find(({ order }) => order === target);
    const skill = step && run.skills.get(step.skill_id);
    if (!step || !skill) throw new Error(`chain ${run.chain.id} has no step ${target}`);
    const next = await runStep(ctx, run, step, skill);
    if (next.ending) return next.ending;
    target = next.target;
  }
  return { status: run.steps.some(({ result }) => result.status === "prepared") ? "prepared" : "completed" };
}

/** Reads the skills of the chain; returns its end if one is missing or retired. */
async function loadSkills(ctx: Context, run: Run): Promise<Ending | undefined> {
  const ids = [...new Set(run.chain.steps.map(({ skill_id }) => skill_id))];
  run.skills = new Map((await findSkills(ctx, ids)).map((skill) => [skill.id, skill]));
  const missing = ids.filter((id) => !run.skills.has(id));
  if (missing.length > 0) return failed(faultOfMissing(missing));
  const retired = [...run.skills.values()].filter(isRetired).map(({ id }) => id);
  if (retired.length === 0) return undefined;
  const message = `A reviewer rejected '${retired.join("', '")}' or has not approved it, or another skill replaces it. Change the skill or the chain.`;
  return failed({ code: "SKILL_RETIRED", message, skill_ids: retired });
}

function faultOfMissing(skill_ids: string[], order?: number): ChainFault {
  const message = `No skill has the id '${skill_ids.join("', '")}'. Create a chain without it.`;
  return { code: "SKILL_NOT_FOUND", message, order, skill_ids };
}

/** The chain's end if a condition forbids its start. */
async function findUnmet({ chain, context }: Run): Promise<Ending | undefined> {
  for (const condition of chain.conditions) {
    const verdict = await evaluate(condition, "conditions", { context });
    if (verdict.fault) return failed(verdict.fault);
    if (!verdict.holds) return { status: "stopped", stopped_by: condition };
  }
  return undefined;
}

/** Executes one step, with retries, and returns what follows. */
async function runStep(ctx: Context, run: Run, step: ChainStep, skill: Skill): Promise<Next> {
  const { order } = step;
  if (run.steps.length >= MAX_STEPS_RUN) {
    const message = `A run executes at most ${MAX_STEPS_RUN} steps. Shorten the chain, or split it.`;
    return { ending: failed({ code: "STEP_LIMIT", message, order }) };
  }
  const input = stepContext(run);
  let fault: ChainFault | undefined;
  for (let attempt = 1; attempt <= 1 + (step.retries ?? 0); attempt++) {
    const timeout_ms = Math.min(run.options.step_timeout_ms, run.startedAt + run.options.timeout_ms - ctx.clock());
    if (timeout_ms <= 0) {
      const message = `The ${run.options.timeout_ms} ms were over before this step.`;
      return { ending: failed({ code: "TIMEOUT", message, order }) };
    }
    const started_at = timestamp(ctx.clock());
    const limits = { timeoutMs: timeout_ms, maxTokens: STEP_TOKENS };
    const done = await runSkill(ctx, skill, input, limits, step.check);
    fault = faultOf(done, order, timeout_ms);
    recordStep(run, step, skill, done, { attempt, fault, timing: { started_at, timeout_ms } });
    if (!(await recordSkillUse(ctx, run, skill, done))) return { ending: failed(faultOfMissing([skill.id], order)) };
    if (done.result.status !== "failed") break;
  }
  const next = fault ? afterFailure(run, step, fault) : await afterStep(run, step);
  const lastTrace = run.trace.at(-1);
  if (lastTrace && !next.ending) lastTrace.next = next.target;
  return next;
}

function afterFailure({ chain }: Run, step: ChainStep, fault: ChainFault): Next {
  const { on_failure = "stop" } = step;
  if (on_failure === "stop") return { ending: failed(fault) };
  return { target: on_failure === "continue" ? nextStep(chain, step) : on_failure.goto };
}

/** The target after a step that did not fail. */
async function afterStep(run: Run, step: ChainStep): Promise<Next> {
  const { order, skill_id, continue_if } = step;
  const lastTrace = run.trace.at(-1);
  const last = run.steps.at(-1);
  const continued: Next = { target: step.goto ?? nextStep(run.chain, step) };
  if (!lastTrace || !last) throw new Error("the last step was not recorded");
  lastTrace.continued = true;
  if (continue_if === undefined) return continued;
  const result = variableOf(last.result);
  const variables = { context: run.context, last: result, result, step: { order, skill_id } };
  const verdict = await evaluate(continue_if, "steps", variables);
  lastTrace.continued = verdict.holds === true;
  if (verdict.fault) return { ending: failed({ ...verdict.fault, order }) };
  if (verdict.holds) return continued;
  return step.else === undefined ? { ending: { status: "stopped", stopped_by: continue_if } } : { target: step.else };
}

/** The next step in order. */
function nextStep({ steps }: Chain, { order }: ChainStep): Target {
  return steps.find((step) => step.order > order)?.order ?? END;
}

/** The input of a step: the context and, as `last`, the previous result. */
function stepContext({ context, steps }: Run): JsonObject {
  const last = steps.at(-1)?.result;
  return last === undefined ? context : { ...context, last: { ...last } };
}

/** Counts a use of the skill. Returns false if the skill was deleted meanwhile. */
async function recordSkillUse(ctx: Context, { id }: Run, skill: Skill, done: SkillRun): Promise<boolean> {
  try {
    await recordUse(ctx, skill, {
      via: "chain",
      chain_execution_id: id,
      result: done.result,
      success: evidenceIn(done),
      execution_time_ms: done.performance.execution_time_ms,
    });
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "SKILL_NOT_FOUND") return false;
    throw error;
  }
}

interface Attempt {
  attempt: number;
  fault: ChainFault | undefined;
  timing: Pick<StepTrace, "started_at" | "timeout_ms">;
}

/** Records a step; a retry replaces the previous attempt. */
function recordStep(
  { steps, trace, spent }: Run,
  { order, continue_if }: ChainStep,
  { id: skill_id, name, version: skill_version }: Skill,
  { result, explanation, provider, model, fallback, performance }: SkillRun,
  { attempt, fault, timing }: Attempt,
): void {
  const { execution_time_ms, tokens_processed, cost_estimate } = performance;
  const before = attempt === 1 ? undefined : steps.pop();
  const spentBefore = before?.execution_time_ms ?? 0;
  const outcome = { result, attempts: attempt, execution_time_ms: spentBefore + execution_time_ms };
  steps.push({ order, skill_id, name, ...outcome, ...(fault && { error: fault }) });
  spent.tokens_processed += tokens_processed;
  spent.cost_estimate += cost_estimate;
  const identity = { order, skill_id, skill_version, ...timing, execution_time_ms };
  trace.push({ ...identity, provider, model, fallback, explanation, continue_if, continued: false });
}

/** Why a step failed. A filled template is neither a failure nor a success. */
function faultOf({ result, explanation, isLate }: SkillRun, order: number, timeout: number): ChainFault | undefined {
  if (isLate) return { code: "TIMEOUT", message: `The step took longer than ${timeout} ms.`, order };
  if (result.check?.passed === false) {
    return { code: "STEP_FAILED", message: `The result does not pass the check: ${result.check.expression}.`, order };
  }
  if (result.status === "failed") return { code: "STEP_FAILED", message: explanation || "The step failed.", order };
  if (result.status !== "incomplete") return undefined;
  const message = `The context lacks values that this step needs: ${result.missing.join(", ")}.`;
  return { code: "CONTEXT_INCOMPLETE", message, order };
}

type Verdict = { holds: boolean; fault?: undefined } | { fault: ChainFault; holds?: undefined };

async function evaluate(text: string, location: Location, variables: JsonObject): Promise<Verdict> {
  try {
    const expression = await parseExpression(text, location);
    return { holds: expression(variables) };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { fault: { code: "EXPRESSION_FAILED", message: `${text}: ${error.message}` } };
  }
}

function executionOf(ctx: Context, run: Run, ending: Ending): ChainExecution {
  const { chain, context, options, id, startedAt, steps, trace, spent } = run;
  const now = ctx.clock();
  return {
    id,
    org: ctx.org,
    chain_id: chain.id,
    ...ending,
    context,
    steps,
    result: steps.at(-1)?.result ?? null,
    ...(options.include_trace ? { trace } : {}),
    performance: { execution_time_ms: now - startedAt, ...spent },
    started_at: timestamp(startedAt),
    completed_at: timestamp(now),
    created_by: ctx.principal.id,
  };
}
