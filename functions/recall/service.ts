import { ratingsOf } from "../../shared/domain/memory/feedback.ts";
import { findMemories } from "../../shared/domain/memory/records.ts";
import type { LeftOut } from "../../shared/domain/retrieval/recall/compose.ts";
import { type RecalledItem, recall, writerOf } from "../../shared/domain/retrieval/recall/recall.ts";
import { findRecall, listRecalls as findRecalls, putRecall } from "../../shared/domain/retrieval/recall/records.ts";
import { confineTo } from "../../shared/domain/retrieval/recall/scope.ts";
import { runSearch } from "../../shared/domain/retrieval/run-search.ts";
import { vectorState } from "../../shared/domain/retrieval/wire.ts";
import { dateOf, timestamp } from "../../shared/kernel/clock.ts";
import { notFound } from "../../shared/kernel/errors.ts";
import { eventTimeOf } from "../../shared/kernel/event-time.ts";
import { pagination } from "../../shared/kernel/pagination.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import type { SearchSource } from "../../shared/ports/search-index.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";

/** `POST /recall`: a block of memories for a prompt. Counts as a search. */
export async function recallMemories(ctx: Context, input: Input<typeof schemas.Recall>) {
  const { ctx: reader, filters: confined } = confineTo(ctx, input);
  const {
    max_tokens: maxTokens,
    min_relevance: minRelevance,
    tokenizer,
    occurred_after,
    occurred_before,
    as_of: asOf,
    now,
  } = input;
  const filters = { ...confined, occurred_after, occurred_before };
  return runSearch(ctx, "semantic", input.query, async ({ query, signal }) => {
    const includes = (part: (typeof input.include)[number]) => input.include.includes(part);
    const withBaseline = includes("baseline");
    const request = { query, filters, maxTokens, minRelevance, tokenizer, asOf, now, signal, withBaseline };
    const { items, leftOut, isByWords, ...block } = await recall(reader, request);
    const answer = {
      ...block,
      items: items.map(({ tokens, ...item }) => ({
        ...present({ ...item, ratings: item.hit?.document.ratings }, item.document, ctx.clock(), includes("why")),
        ...(includes("tokens") && { tokens }),
      })),
      ...(includes("left_out") && { left_out: leftOut.map((each) => presentLeftOut(each, ctx.clock())) }),
      ...vectorState({ isByWords }),
      recall_id: await storeRecall(ctx, { ...block, items }, input),
    };
    return { answer, shown: items.flatMap(({ hit }) => hit ?? []) };
  });
}

/** Stores a recall and returns its id; undefined if the disk is full. */
async function storeRecall(
  ctx: Context,
  { items, tokens, confident }: { items: RecalledItem[]; tokens: number; confident: boolean },
  { max_tokens, user_id }: Input<typeof schemas.Recall>,
): Promise<string | undefined> {
  if (ctx.isShortOfRoom?.()) return undefined;
  const id = ctx.ids("recall");
  const kept = items.map(({ memory_id, fact_id, label, score, why }) => ({ memory_id, fact_id, label, score, why }));
  const { org, principal } = ctx;
  const created = { created_at: timestamp(ctx.clock()), created_by: principal.id };
  await ctx.ports.records.write(
    putRecall({ id, org, user_id, ...created, max_tokens, tokens, confident, items: kept }, ctx.clock()),
  );
  return id;
}

function presentLeftOut({ hit, reason }: LeftOut, now: number) {
  const { id, document, score } = hit;
  return { memory_id: id, content: document.content, ...eventTimeOf(document, now), score, reason };
}

/** `GET /recalls`: the caller's own recalls of the last day, newest first. */
export async function listRecalls(ctx: Context, page: Input<typeof schemas.ListRecalls>) {
  const { items, total, hasNext } = await findRecalls(ctx, ctx.principal.id, page);
  const recalls = items.map(({ id, items: lines, user_id, created_at, max_tokens, tokens, confident }) => {
    return { recall_id: id, user_id, created_at, max_tokens, tokens, confident, lines: lines.length };
  });
  return { recalls, pagination: pagination(page, total, hasNext) };
}

/** `GET /recall/{id}`: its memories, as the caller may read them now. Throws RECALL_NOT_FOUND for other callers. */
export async function explainRecall(ctx: Context, id: string) {
  const kept = await findRecall(ctx, id);
  if (kept === undefined || kept.created_by !== ctx.principal.id) throw notFound("recall", id);
  const memories = await findMemories(
    ctx,
    kept.items.map(({ memory_id }) => memory_id),
  );
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  const items = kept.items.flatMap((item) => {
    const memory = byId.get(item.memory_id);
    if (memory === undefined) return [];
    const known = { ...item, writer: writerOf(memory), ratings: ratingsOf(memory) };
    return [present(known, memory, ctx.clock(), true)];
  });
  const { created_at, max_tokens, tokens, confident } = kept;
  return { recall_id: id, created_at, max_tokens, tokens, confident, items, missing: kept.items.length - items.length };
}

type Presentable = Pick<RecalledItem, "label" | "memory_id" | "score" | "why" | "writer"> & {
  fact_id?: string | undefined;
  ratings?: SearchSource["ratings"];
};
type Content = Pick<SearchSource, "content" | "metadata" | "occurred_at" | "created_at">;

function present(
  { label, memory_id, fact_id, score, why, writer, ratings }: Presentable,
  document: Content,
  now: number,
  includeText: boolean,
) {
  const { content, metadata } = document;
  const time = eventTimeOf(document, now);
  const whole = { ...why, time: time.occurred_at, score };
  return {
    label,
    memory_id,
    fact_id,
    content,
    metadata,
    writer,
    ...time,
    score,
    ratings,
    why: includeText ? { ...whole, text: describeReason(whole) } : whole,
  };
}

const REASONS: Partial<Record<RecalledItem["why"]["path"], string>> = {
  context: "the next line of its session refers to it",
  successor: "it replaces the statement that was found",
  instruction: "the user asked for it",
};

function describeReason({
  path,
  words,
  meaning,
  time,
  score,
}: RecalledItem["why"] & { time: string; score: number }): string {
  const found = `its words carry ${percent(words)} of the query, and its meaning is ${percent(meaning)} similar`;
  const reason = REASONS[path] ?? found;
  return `${dateOf(time)}: ${reason}; score ${score.toFixed(2)}.`;
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
