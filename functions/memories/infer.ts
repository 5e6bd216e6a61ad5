import type * as z from "zod";
import { ServiceError } from "../../shared/kernel/errors.ts";
import { askVerifier } from "../../shared/memory/asking.ts";
import { inferenceTask } from "../../shared/memory/inference.ts";
import type { Memory } from "../../shared/memory/memory.ts";
import { findMemories } from "../../shared/memory/records.ts";
import type { Context } from "../../shared/platform/context.ts";
import { retrieve } from "../../shared/retrieval/retrieve.ts";
import { analyse } from "../../shared/retrieval/text.ts";
import type * as schemas from "./schemas.ts";
import { getMemory } from "./service.ts";

/** Of the memory, as far as it helps to find related ones. */
const EXCERPT_LENGTH = 500;

/** Concludes from a memory and those of the same user that are near it and the prompt. */
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
  const { value, provider, model, fallback } = await askVerifier(ctx, inferenceTask, { memory, related, prompt });
  return {
    inferences: value.inferences.map((inference) => ({ id: ctx.ids("inference"), ...inference })),
    context_used: related.length,
    processing: { provider, model, fallback },
  };
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
