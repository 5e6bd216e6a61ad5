import type * as z from "zod";
import { factsOfMemories, statesValue } from "../../shared/domain/memory/fact-reader.ts";
import { type InferenceQuestion, inferenceTask } from "../../shared/domain/memory/inference.ts";
import type { Memory } from "../../shared/domain/memory/memory.ts";
import { findMemories } from "../../shared/domain/memory/records.ts";
import { runVerificationTask } from "../../shared/domain/memory/verification-task.ts";
import { retrieve } from "../../shared/domain/retrieval/retrieve.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { analyse } from "../../shared/kernel/text/text.ts";
import { Query } from "../../shared/language/questions/query.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";
import { getMemoryForClient } from "./service.ts";

/** Characters of the memory used to find related ones. */
const EXCERPT_LENGTH = 500;

/**
 * Infers from a memory, the same user's memories near it and the prompt, and their facts. Throws INSUFFICIENT_RESULTS
 * if none of them answers the prompt.
 */
export async function inferFromMemory(
  ctx: Context,
  { memory_id, prompt, context_limit, now }: Input<typeof schemas.InferFromMemory>,
) {
  const memory = await getMemoryForClient(ctx, memory_id);
  const related = context_limit === 0 ? [] : await findRelated(ctx, memory, { prompt, now, limit: context_limit });
  if (![memory, ...related].some(hasContent)) {
    throw new ServiceError(
      "INSUFFICIENT_RESULTS",
      "Neither this memory nor a related memory contains words. Choose another memory.",
      { memory_id },
    );
  }
  const facts = (await factsOfMemories(ctx, [memory, ...related])).filter(
    (fact) => statesValue(fact) && fact.status !== "retracted",
  );
  const question = { memory, related, facts, prompt };
  const { value, provider, model, fallback } = await runVerificationTask(ctx, inferenceTask, question);
  const known = evidenceIds(question);
  const inferences = value.inferences.flatMap(({ rests_on, ...inference }) => {
    const points = [...new Set(rests_on)].flatMap((id) => known.get(id) ?? []);
    return points.length === 0 ? [] : { id: ctx.ids("inference"), ...inference, rests_on: points };
  });
  if (inferences.length === 0) {
    throw new ServiceError(
      "INSUFFICIENT_RESULTS",
      "No stored memory answers the prompt. Change the prompt, or raise context_limit.",
      { memory_id },
    );
  }
  return { inferences, context_used: related.length, processing: { provider, model, fallback } };
}

/** The memories and facts that an inference may rest on, by id. */
function evidenceIds({ memory, related, facts }: Pick<InferenceQuestion, "memory" | "related" | "facts">) {
  const points = new Map<string, z.input<typeof schemas.InferenceEvidence>>();
  for (const { id } of [memory, ...related]) points.set(id, { memory_id: id });
  for (const { id, memory_id, status, valid_from, valid_to } of facts) {
    points.set(id, { memory_id, fact_id: id, status, valid_from, valid_to });
    if (!points.has(memory_id)) points.set(memory_id, { memory_id });
  }
  return points;
}

/** Finds related memories with one search and one read of its results. */
async function findRelated(
  ctx: Context,
  memory: Memory,
  { prompt, now, limit }: { prompt: string; now: number | undefined; limit: number },
): Promise<Memory[]> {
  const { id, user_id, content } = memory;
  const { ranked } = await retrieve(ctx, {
    query: new Query(`${prompt}\n${content.slice(0, EXCERPT_LENGTH)}`),
    filters: user_id === undefined ? undefined : { user_id: [user_id] },
    depth: limit + 1,
    now,
  });
  const others = ranked.filter((found) => found.id !== id).slice(0, limit);
  return findMemories(
    ctx,
    others.map((found) => found.id),
  );
}

function hasContent({ content, facts }: Memory): boolean {
  return facts.length > 0 || analyse(content).length > 0;
}
