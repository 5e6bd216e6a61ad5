import { isDeepStrictEqual } from "node:util";
import { timestamp } from "../../kernel/clock.ts";
import { notFound, ServiceError } from "../../kernel/errors.ts";
import { INSTRUCTION } from "../../language/slots/fact.ts";
import { updateWithRetry } from "../../ports/conflicts.ts";
import type { Json } from "../../ports/json.ts";
import type { Write } from "../../ports/record-store.ts";
import type { Context } from "../../runtime/context.ts";
import { type FactInSlot, type FactWithMemory, findStored, placeInSlot } from "./fact-reader.ts";
import { applyCorrection, CORRECTABLE, type Correction, type Decision, pick } from "./facts/decisions.ts";
import { factsUnchanged, referenceTo, replaceFact, type StoredFact } from "./facts/records.ts";
import { memoryKey } from "./memory-keys.ts";
import { requireAccess } from "./visibility.ts";

/** Maximum number of decisions per fact; the oldest ones are dropped, so that a record stays small. */
const MAX_DECISIONS = 50;

/** The changed fact with the decision to record; undefined if nothing changes. */
type Outcome = { fact: StoredFact; decision: Omit<Decision, "by" | "at"> } | undefined;

/** Corrects a fact; fields that it already shows with that value are ignored. Throws FACT_NOT_FOUND, FORBIDDEN. */
export function correctFact(ctx: Context, id: string, correction: Correction, ifMatch?: number): Promise<FactInSlot> {
  return decide(ctx, id, ifMatch, ({ fact: shown }, stored) => {
    const isChange = (field: keyof Correction) => correction[field] !== (shown[field] ?? null);
    const changed = CORRECTABLE.filter((field) => correction[field] !== undefined && isChange(field));
    if (changed.length === 0) return undefined;
    requirePerson(ctx, shown);
    const { fact, before } = applyCorrection(stored, pick(correction, changed));
    return { fact, decision: { action: "corrected", before } };
  });
}

/** Only people say how the assistant has to behave. Throws FORBIDDEN if an agent's key corrects an instruction. */
function requirePerson({ principal }: Context, { attribute }: Pick<StoredFact, "attribute">): void {
  if (principal.agent === undefined || attribute !== INSTRUCTION) return;
  throw new ServiceError("FORBIDDEN", "A key of an agent corrects no instruction: store what the user says instead.");
}

/** Retracts a fact: it never held. Throws FACT_NOT_FOUND, FORBIDDEN. */
export function retractFact(ctx: Context, id: string, ifMatch?: number): Promise<FactInSlot> {
  return decide(ctx, id, ifMatch, (_shown, stored) => {
    if (stored.decision === "retracted") return undefined;
    return { fact: { ...stored, decision: "retracted" }, decision: { action: "retracted" } };
  });
}

/** Undoes a retraction, or decides that a superseded or retracted fact holds. Throws FACT_NOT_FOUND, FORBIDDEN. */
export function restoreFact(ctx: Context, id: string, ifMatch?: number): Promise<FactInSlot> {
  return decide(ctx, id, ifMatch, ({ fact: { status } }, stored) => {
    const { decision, ...undecided } = stored;
    if (decision === "retracted") return { fact: undecided, decision: { action: "restored" } };
    if (decision === "restored" || (status !== "superseded" && status !== "retracted")) return undefined;
    return { fact: { ...stored, decision: "restored" }, decision: { action: "restored" } };
  });
}

/** Stores a decision about a fact; requires permission to change its memory. Restarts after a concurrent write. */
async function decide(
  ctx: Context,
  id: string,
  ifMatch: number | undefined,
  judge: (shown: FactInSlot, stored: StoredFact) => Outcome,
): Promise<FactInSlot> {
  const find = async () => {
    const found = await findStored(ctx, id);
    if (found) requireAccess(found.memory, ctx, "read_write");
    return found && { ...found, version: found.fact.version };
  };
  return updateWithRetry({ resource: "fact", id, find, ...(ifMatch !== undefined && { ifMatch }) }, async (found) => {
    const shown = await placeInSlot(ctx, found.fact);
    if (!shown) throw notFound("fact", id);
    const outcome = judge(shown, found.fact);
    if (!outcome) return shown;
    const by = { by: ctx.principal.id, at: timestamp(ctx.clock()) };
    const decisions = [...(found.fact.decisions ?? []), { ...outcome.decision, ...by }].slice(-MAX_DECISIONS);
    const fact = { ...outcome.fact, decisions, version: found.fact.version + 1 };
    await ctx.ports.records.write(...replaceInMemory(found, fact));
    return (await placeInSlot(ctx, fact)) ?? shown;
  });
}

/** Also updates the memory's reference to its fact; the write fails if either changed since it was read. */
function replaceInMemory({ fact: before, memory }: FactWithMemory, fact: StoredFact): Write[] {
  const key = memoryKey(memory.org, memory.id);
  const condition = { revision: memory.revision, ...factsUnchanged(memory) };
  const put = replaceFact(before, fact);
  const reference = referenceTo(fact);
  if (isDeepStrictEqual(reference, referenceTo(before))) return [{ check: key, condition }, put];
  const observations = (memory.observations ?? []).map((observation) =>
    observation.id === fact.id ? reference : observation,
  );
  const set = { observations: observations as unknown as Json };
  return [{ update: key, set, add: { revision: 1 }, condition }, put];
}
