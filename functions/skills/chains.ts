import { timestamp } from "../../shared/kernel/clock.ts";
import { type FieldProblem, invalid, notFound } from "../../shared/kernel/errors.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import type { Context } from "../../shared/platform/context.ts";
import { getSkills } from "../../shared/skills/records.ts";
import type { Chain, ChainExecution } from "./chain.ts";
import { findChain, insertChain, insertExecution, listExecutions as readExecutions } from "./chain-records.ts";
import { ExpressionFailed, type Place, parseExpression } from "./expressions.ts";
import { runChain } from "./run-chain.ts";
import type * as schemas from "./schemas.ts";
import type { Input } from "./service.ts";

/** Throws CHAIN_NOT_FOUND for an absent and a foreign id alike. */
async function getChain(ctx: Context, id: string): Promise<Chain> {
  const chain = await findChain(ctx, id);
  if (!chain) throw notFound("chain", id);
  return chain;
}

/** Stores a chain whose skills are all there and whose expressions can all be evaluated. A skill may occur more than once. */
export async function createChain(ctx: Context, definition: Input<typeof schemas.CreateChain>): Promise<Chain> {
  const { name, trigger, conditions } = definition;
  const steps = definition.steps.toSorted((one, other) => one.order - other.order);
  await refuseUnfitExpressions(definition);
  await getSkills(ctx, [...new Set(steps.map(({ skill_id }) => skill_id))]);
  const chain: Chain = {
    id: ctx.ids("chain"),
    org: ctx.org,
    name,
    trigger,
    steps,
    conditions,
    created_at: timestamp(ctx.clock()),
    created_by: ctx.principal.id,
  };
  await ctx.ports.records.write(insertChain(chain));
  return chain;
}

async function refuseUnfitExpressions({ steps, conditions }: Input<typeof schemas.CreateChain>): Promise<void> {
  const problems = await Promise.all([
    ...conditions.map((text, place) => problemOf(text, "conditions", `conditions.${place}`)),
    ...steps.map(({ continue_if }, place) => problemOf(continue_if, "steps", `steps.${place}.continue_if`)),
  ]);
  const found = problems.flatMap((problem) => problem ?? []);
  if (found.length > 0) throw invalid(...found);
}

async function problemOf(text: string | undefined, place: Place, field: string): Promise<FieldProblem | undefined> {
  try {
    if (text !== undefined) await parseExpression(text, place);
    return undefined;
  } catch (error) {
    if (error instanceof ExpressionFailed) return { field, problem: error.message };
    throw error;
  }
}

/** Runs a chain and stores how that went, however it ended. */
export async function executeChain(ctx: Context, id: string, { context, options }: Input<typeof schemas.ExecuteChain>) {
  const chain = await getChain(ctx, id);
  const execution = await runChain(ctx, chain, context, {
    timeoutMs: options.timeout_ms,
    stepTimeoutMs: options.step_timeout_ms,
    traced: options.include_trace,
  });
  await ctx.ports.records.write(insertExecution(execution));
  return present(execution);
}

function present({ id: execution_id, ...execution }: ChainExecution) {
  return { execution_id, ...execution };
}

export async function listExecutions(ctx: Context, id: string, page: Input<typeof schemas.ListExecutions>) {
  await getChain(ctx, id);
  const { executions, total, hasNext } = await readExecutions(ctx, id, page);
  return { chain_id: id, executions: executions.map(present), pagination: pagination(page, total, hasNext) };
}
