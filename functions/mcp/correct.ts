import { correctFact, retractFact } from "../../shared/domain/memory/decide-fact.ts";
import { findFact, type PlacedFact } from "../../shared/domain/memory/fact-reader.ts";
import { getMemory } from "../../shared/domain/memory/revise.ts";
import { placeStated } from "../../shared/domain/retrieval/profiles/known-facts.ts";
import { invalid, notFound, ServiceError } from "../../shared/kernel/errors.ts";
import { couldBeIssued } from "../../shared/kernel/ids.ts";
import type { Context } from "../../shared/runtime/context.ts";

/** Corrects a fact, by its id or that of the memory that states it; without a `value`, it never held. */
export async function correct(ctx: Context, { id, value }: { id: string; value?: string | undefined }) {
  const factId = couldBeIssued("fact", id) ? id : (await onlyFactOf(ctx, id)).id;
  const { fact } = value === undefined ? await retractFact(ctx, factId) : await correctFact(ctx, factId, { value });
  return fact;
}

/** Returns the id of the memory that states a fact, or the id of a memory itself. Throws FACT_NOT_FOUND. */
export async function memoryIdOf(ctx: Context, id: string): Promise<string> {
  if (!couldBeIssued("fact", id)) return id;
  const found = await findFact(ctx, id);
  if (!found) throw notFound("fact", id);
  return found.fact.memory_id;
}

/** Throws MEMORY_NOT_FOUND, VALIDATION_ERROR for a memory without a fact, and CONFLICT with the facts if it states several. */
async function onlyFactOf(ctx: Context, memory_id: string): Promise<PlacedFact> {
  await getMemory(ctx, memory_id);
  const { facts } = await placeStated(ctx, [memory_id]);
  const [fact, ...others] = facts;
  if (fact === undefined) {
    throw invalid({ field: "id", problem: "states no fact; change the memory with update, or delete it with forget" });
  }
  if (others.length === 0) return fact;
  throw new ServiceError("CONFLICT", "This memory states several facts. Name the wrong one by its own id.", {
    facts: facts.map(({ id, subject, attribute, value }) => ({ id, subject, attribute, value })),
  });
}
