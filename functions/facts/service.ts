import type * as z from "zod";
import * as decisions from "../../shared/facts/decide.ts";
import { listFacts as readFacts } from "../../shared/facts/list.ts";
import { type FactInSlot, findFact } from "../../shared/facts/reader.ts";
import { notFound } from "../../shared/kernel/errors.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import type { Context } from "../../shared/platform/context.ts";
import type * as schemas from "./schemas.ts";

type Input<Schema extends z.ZodType> = z.output<Schema>;

export async function listFacts(ctx: Context, query: Input<typeof schemas.ListFacts>) {
  const { limit, offset, as_of, ...filter } = query;
  const moment = as_of === undefined ? {} : { as_of: Date.parse(as_of) };
  const { facts, total, hasNext } = await readFacts(ctx, { ...filter, ...moment }, { limit, offset });
  return { facts, pagination: pagination({ limit, offset }, total, hasNext) };
}

export async function getFact(ctx: Context, id: string) {
  const found = await findFact(ctx, id);
  if (!found) throw notFound("fact", id);
  return withHistory(found);
}

export async function correctFact(
  ctx: Context,
  id: string,
  correction: Input<typeof schemas.CorrectFact>,
  ifMatch?: number,
) {
  return withHistory(await decisions.correctFact(ctx, id, correction, ifMatch));
}

export async function retractFact(ctx: Context, id: string, ifMatch?: number) {
  return withHistory(await decisions.retractFact(ctx, id, ifMatch));
}

export async function restoreFact(ctx: Context, id: string, ifMatch?: number) {
  return withHistory(await decisions.restoreFact(ctx, id, ifMatch));
}

function withHistory({ fact, history }: FactInSlot) {
  return { ...fact, decisions: fact.decisions ?? [], history };
}
