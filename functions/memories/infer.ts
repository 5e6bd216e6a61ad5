import type * as z from "zod";
import { factsOfMemories, tellsValue } from "../../shared/facts/reader.ts";
import { ServiceError } from "../../shared/kernel/errors.ts";
import { askVerifier } from "../../shared/memory/asking.ts";
import { type InferenceQuestion, inferenceTask } from "../../shared/memory/inference.ts";
import type { Memory } from "../../shared/memory/memory.ts";
import { findMemories } from "../../shared/memory/records.ts";
import type { Context } from "../../shared/platform/context.ts";
import { retrieve } from "../../shared/retrieval/retrieve.ts";
import { analyse } from "../../shared/retrieval/text.ts";
import type * as schemas from "./schemas.ts";
import { getMemory } from "./service.ts";

/** Of the memory, as far as it helps to find related ones. */
const EXCERPT_LENGTH = 500;

/**
 * Concludes from a memory and those of the same user that are near it and the prompt, and from their facts. Throws
 * INSUFFICIENT_RESULTS where nothing of it answers the prompt.
 */
export async function inferFromMemory(
  ctx: Context,
  { memory_id, prompt, context_limit, now }: z.output<typeof schemas.InferFromMemory>,
) {
  const memory = await getMemory(ctx, memory_id);
  const related = context_limit === 0 ? [] : await findRelated(ctx, memory, { prompt, now, limit: context_limit });
  if (![memory, ...related].some(saysSomething)) {
    throw new ServiceError("INSUFFICIENT_RESULTS", "Neither this memory nor any related one says anything in words.", {
      memory_id,
    });
  }
  const facts = (await factsOfMemories(ctx, [memory, ...related])).filter(
    (fact) => tellsValue(fact) && fact.status !== "retracted",
  );
  const question = { memory, related, facts, prompt };
  const { value, provider, model, fallback } = await askVerifier(ctx, inferenceTask, question);
  const known = restingPoints(question);
  const inferences = value.inferences.flatMap(({ rests_on, ...inference }) => {
    const points = [...new Set(rests_on)].flatMap((id) => known.get(id) ?? []);
    return points.length === 0 ? [] : { id: ctx.ids("inference"), ...inference, rests_on: points };
  });
  if (inferences.length === 0) {
    throw new ServiceError(
      "INSUFFICIENT_RESULTS",
      "Nothing that is stored here answers the prompt. Ask for something else, or raise context_limit.",
      { memory_id },
    );
  }
  return { inferences, context_used: related.length, processing: { provider, model, fallback } };
}

/** What an inference may rest on, by the ids of memories and facts. */
function restingPoints({ memory, related, facts }: Pick<InferenceQuestion, "memory" | "related" | "facts">) {
  const points = new Map<string, z.input<typeof schemas.RestingPoint>>();
  for (const { id } of [memory, ...related]) points.set(id, { memory_id: id });
  for (const { id, memory_id, status, valid_from, valid_to } of facts) {
    points.set(id, { memory_id, fact_id: id, status, valid_from, valid_to });
    if (!points.has(memory_id)) points.set(memory_id, { memory_id });
  }
  return points;
}

/** One search, and one read of what it found. */
async function findRelated(
  ctx: Context,
  memory: Memory,
  { prompt, now, limit }: { prompt: string; now: number | undefined; limit: number },
): Promise<Memory[]> {
  const { id, user_id, content } = memory;
  const { ranked } = await retrieve(ctx, {
    query: `${prompt}\n${content.slice(0, EXCERPT_LENGTH)}`,
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

function saysSomething({ content, facts }: Memory): boolean {
  return facts.length > 0 || analyse(content).length > 0;
}
