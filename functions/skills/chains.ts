import { CHAINS, getSkills } from "../../shared/domain/agents/skills/records.ts";
import { ownerOf, storeOwned } from "../../shared/domain/identity/owned-counts.ts";
import { openVerifier } from "../../shared/domain/memory/verification-task.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { existing, type FieldProblem, invalid, notFound } from "../../shared/kernel/errors.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { writeOrThrow } from "../../shared/ports/conflicts.ts";
import type { Context } from "../../shared/runtime/context.ts";
import {
  type Chain,
  type ChainExecution,
  type ChainStep,
  END,
  findChain,
  insertChain,
  insertExecution,
  listChains as readChains,
  listExecutions as readExecutions,
  removeChain,
} from "./chain-records.ts";
import { type GivenExpression, namesWords, requireValidExpressions } from "./expressions.ts";
import { runChain } from "./run-chain.ts";
import type * as schemas from "./schemas.ts";

/** Throws CHAIN_NOT_FOUND for an id that is missing or of another organization. */
export async function getChain(ctx: Context, id: string): Promise<Chain> {
  return existing(await findChain(ctx, id), "chain", id);
}

/**
 * Stores a chain whose skills exist, whose expressions are valid and whose branches name its steps. A skill may occur
 * more than once.
 */
export async function createChain(ctx: Context, definition: Input<typeof schemas.CreateChain>): Promise<Chain> {
  const { name, trigger, conditions } = definition;
  const steps = definition.steps.toSorted((one, other) => one.order - other.order);
  await requireValidExpressions(expressionsOf(definition));
  requireKnownTargets(definition.steps);
  await refuseTemplateConditions(ctx, definition.steps);
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
  await storeOwned(ctx, CHAINS, ownerOf(ctx), [insertChain(chain)]);
  return chain;
}

function expressionsOf({ steps, conditions }: Input<typeof schemas.CreateChain>): GivenExpression[] {
  const given = (field: string, text: string | undefined, location: GivenExpression["location"]) =>
    text === undefined ? [] : [{ field, text, location }];
  return [
    ...conditions.flatMap((text, index) => given(`conditions.${index}`, text, "conditions")),
    ...steps.flatMap(({ continue_if, check }, index) => [
      ...given(`steps.${index}.continue_if`, continue_if, "steps"),
      ...given(`steps.${index}.check`, check, "checks"),
    ]),
  ];
}

function requireKnownTargets(steps: ChainStep[]): void {
  const orders = new Set(steps.map(({ order }) => order));
  const problems = steps.flatMap((step, index): FieldProblem[] => {
    const { on_failure } = step;
    const targets = {
      goto: step.goto,
      else: step.else,
      "on_failure.goto": typeof on_failure === "object" ? on_failure.goto : undefined,
    };
    const unknown = Object.entries(targets).filter(
      ([, target]) => target !== undefined && target !== END && !orders.has(target),
    );
    return [
      ...unknown.map(([field]) => ({
        field: `steps.${index}.${field}`,
        problem: `must be the order of a step or '${END}'`,
      })),
      ...(step.else !== undefined && step.continue_if === undefined
        ? [{ field: `steps.${index}.else`, problem: "requires continue_if" }]
        : []),
    ];
  });
  if (problems.length > 0) throw invalid(...problems);
}

/** Without a model each result is a template with the skill's own words, on which conditions must not depend. */
async function refuseTemplateConditions(ctx: Context, steps: ChainStep[]): Promise<void> {
  const dependsOnText = await Promise.all(
    steps.map(async ({ continue_if }) => continue_if !== undefined && (await namesWords(continue_if))),
  );
  if (!dependsOnText.some(Boolean) || !(await openVerifier(ctx)).isRules) return;
  const problem =
    "depends on the text of a template, because no language model is configured: use context, last.status, last.outcome or last.missing";
  throw invalid(
    ...dependsOnText.flatMap((depends, index) => (depends ? [{ field: `steps.${index}.continue_if`, problem }] : [])),
  );
}

/** Runs a chain and stores the run, however it ended. */
export async function executeChain(ctx: Context, id: string, { context, options }: Input<typeof schemas.ExecuteChain>) {
  const chain = await getChain(ctx, id);
  const execution = await runChain(ctx, chain, context, options);
  await ctx.ports.records.write(insertExecution(execution));
  return present(execution);
}

function present({ id: execution_id, ...execution }: ChainExecution) {
  return { execution_id, ...execution };
}

/** One page of the organization's chains, newest first. */
export async function listChains(ctx: Context, page: Input<typeof schemas.ListPage>) {
  const { items: chains, total, hasNext } = await readChains(ctx, page);
  return { chains, pagination: pagination(page, total, hasNext) };
}

/** Deletes a chain; its executions are deleted afterwards. */
export async function deleteChain(ctx: Context, id: string) {
  await writeOrThrow(ctx, [removeChain(ctx.org, id)], () => notFound("chain", id));
  return { id, deleted_at: timestamp(ctx.clock()) };
}

export async function listExecutions(ctx: Context, id: string, page: Input<typeof schemas.ListPage>) {
  await getChain(ctx, id);
  const { items: executions, total, hasNext } = await readExecutions(ctx, id, page);
  return { chain_id: id, executions: executions.map(present), pagination: pagination(page, total, hasNext) };
}
