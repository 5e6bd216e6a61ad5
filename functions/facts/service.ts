import * as decisions from "../../shared/domain/memory/decide-fact.ts";
import { type FactInSlot, findFact } from "../../shared/domain/memory/fact-reader.ts";
import { listFacts as readFacts } from "../../shared/domain/memory/list-facts.ts";
import { declinePattern, restorePattern } from "../../shared/domain/patterns/decide-pattern.ts";
import { findPattern, listPatterns as readPatterns } from "../../shared/domain/patterns/read-patterns.ts";
import { lastReading } from "../../shared/domain/patterns/records.ts";
import { findPatternsNow } from "../../shared/domain/patterns/request.ts";
import { presentPattern } from "../../shared/domain/patterns/wire.ts";
import { abortAfter } from "../../shared/domain/retrieval/deadline.ts";
import { notFound, ServiceError } from "../../shared/kernel/errors.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { factGraph } from "./graph.ts";
import type * as schemas from "./schemas.ts";

/** Maximum milliseconds for a page of facts: filters may exclude most facts of an organization. */
const MAX_MS = 10_000;

function timedOut(): ServiceError {
  const hint = "Narrow it by user_id, subject or attribute.";
  return new ServiceError("SEARCH_TIMEOUT", `The list took longer than ${MAX_MS} ms. ${hint}`, { timeout_ms: MAX_MS });
}

export async function listFacts(ctx: Context, query: Input<typeof schemas.ListFacts>) {
  const { limit, offset, cursor, as_of, ...filter } = query;
  const moment = as_of === undefined ? {} : { as_of: Date.parse(as_of) };
  const page = { limit, offset, cursor };
  const found = await inTime(ctx, (signal) => readFacts(ctx, { ...filter, ...moment }, page, signal));
  return { facts: found.facts, pagination: pagination(page, found.total, found.hasNext, found.cursor) };
}

/** `GET /graph`: what is known around a user or one of the things that the user's facts name. */
export async function readGraph(ctx: Context, query: Input<typeof schemas.ReadGraph>) {
  return inTime(ctx, (signal) => factGraph(ctx, query, signal));
}

function inTime<Result>(ctx: Context, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  return abortAfter(MAX_MS, timedOut, (deadline) => {
    const signals = [deadline, ctx.request?.signal].filter((signal) => signal !== undefined);
    return work(AbortSignal.any(signals));
  });
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

/** All patterns of a user are read for each page: there are at most a few dozen. */
export async function listPatterns(ctx: Context, query: Input<typeof schemas.ListPatterns>) {
  const { user_id, type, status, limit, offset } = query;
  const [patterns, last] = await Promise.all([readPatterns(ctx, user_id, status), lastReading(ctx, user_id)]);
  const found = patterns.filter((pattern) => type === undefined || pattern.type === type);
  const shown = found.slice(offset, offset + limit);
  const hasNext = found.length > offset + limit;
  const pages = pagination({ limit, offset }, found.length, hasNext);
  return { patterns: shown.map(presentPattern), ...(last?.observed && { observed: last.observed }), pagination: pages };
}

export async function getPattern(ctx: Context, id: string) {
  const found = await findPattern(ctx, id);
  if (!found) throw notFound("pattern", id);
  return presentPattern(found);
}

export async function findPatterns(ctx: Context, { user_id }: Input<typeof schemas.FindPatterns>) {
  const job_id = await findPatternsNow(ctx, { org: ctx.org, user_id });
  return { user_id, job_id, status: "finding" as const };
}

export async function decline(ctx: Context, id: string, ifMatch?: number) {
  return presentPattern(await declinePattern(ctx, id, ifMatch));
}

export async function restore(ctx: Context, id: string, ifMatch?: number) {
  return presentPattern(await restorePattern(ctx, id, ifMatch));
}
