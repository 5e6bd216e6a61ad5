import { timestamp } from "../kernel/clock.ts";
import { notFound } from "../kernel/errors.ts";
import { memoryKey } from "../memory/records.ts";
import { requireReach } from "../memory/visibility.ts";
import type { Context } from "../platform/context.ts";
import type { Write } from "../platform/ports.ts";
import { readThenWrite } from "../platform/read-then-write.ts";
import { type FactInSlot, type FactWithMemory, findStored, placeInSlot } from "./reader.ts";
import { CORRECTABLE, type Correctable, type Decision, putFact, type StoredFact, slotOf } from "./records.ts";

/** The oldest ones give way beyond it, so that a record stays small. */
const MAX_DECISIONS = 50;

/** What a correction says; null takes a date away, and an absent field stays. */
export type Correction = { [Field in keyof Correctable]?: string | null };

/** What becomes of a fact, and what is noted of it; undefined where nothing does. */
type Outcome = { fact: StoredFact; decision: Omit<Decision, "by" | "at"> } | undefined;

/** Corrects what a fact says. What it shows already is no correction. Throws FACT_NOT_FOUND, FORBIDDEN. */
export function correctFact(ctx: Context, id: string, correction: Correction, ifMatch?: number): Promise<FactInSlot> {
  return decide(ctx, id, ifMatch, ({ fact: shown }, stored) => {
    const corrected: Correction = Object.fromEntries(
      CORRECTABLE.map((field) => [field, correction[field]] as const).filter(
        ([field, value]) => value !== undefined && value !== (shown[field] ?? null),
      ),
    );
    const fields = Object.keys(corrected) as (keyof Correctable)[];
    if (fields.length === 0) return undefined;
    const before = Object.fromEntries(
      fields.flatMap((field) => (stored[field] === undefined ? [] : [[field, stored[field]]])),
    );
    return { fact: withoutNulls({ ...stored, ...corrected }), decision: { action: "corrected", before } };
  });
}

function withoutNulls(fact: object): StoredFact {
  return Object.fromEntries(Object.entries(fact).filter(([, value]) => value !== null)) as unknown as StoredFact;
}

/** Takes a fact back: it never held. Throws FACT_NOT_FOUND, FORBIDDEN. */
export function retractFact(ctx: Context, id: string, ifMatch?: number): Promise<FactInSlot> {
  return decide(ctx, id, ifMatch, (_shown, stored) => {
    if (stored.decision === "retracted") return undefined;
    return { fact: { ...stored, decision: "retracted" }, decision: { action: "retracted" } };
  });
}

/**
 * Undoes a retraction that somebody decided; of a fact that the rules close or retract, says that it holds all the same.
 * Throws FACT_NOT_FOUND, FORBIDDEN.
 */
export function restoreFact(ctx: Context, id: string, ifMatch?: number): Promise<FactInSlot> {
  return decide(ctx, id, ifMatch, ({ fact: { status } }, stored) => {
    const { decision, ...undecided } = stored;
    if (decision === "retracted") return { fact: undecided, decision: { action: "restored" } };
    if (decision === "restored" || (status !== "superseded" && status !== "retracted")) return undefined;
    return { fact: { ...stored, decision: "restored" }, decision: { action: "restored" } };
  });
}

/** Whoever may change a memory decides about its facts. Repeated from the start where others write in between. */
async function decide(
  ctx: Context,
  id: string,
  ifMatch: number | undefined,
  judge: (shown: FactInSlot, stored: StoredFact) => Outcome,
): Promise<FactInSlot> {
  const find = async () => {
    const found = await findStored(ctx, id);
    if (found) requireReach(found.memory, ctx, "read_write");
    return found && { ...found, version: found.fact.version };
  };
  return readThenWrite({ resource: "fact", id, find, ...(ifMatch !== undefined && { ifMatch }) }, async (found) => {
    const shown = await placeInSlot(ctx, found.fact);
    if (!shown) throw notFound("fact", id);
    const outcome = judge(shown, found.fact);
    if (!outcome) return shown;
    const by = { by: ctx.principal.id, at: timestamp(ctx.clock()) };
    const decisions = [...(found.fact.decisions ?? []), { ...outcome.decision, ...by }].slice(-MAX_DECISIONS);
    const fact = { ...outcome.fact, decisions, version: found.fact.version + 1 };
    await ctx.ports.records.write(...replaceFact(found, fact));
    return (await placeInSlot(ctx, fact)) ?? shown;
  });
}

/** The memory names the slot of its fact; both are refused where either changed since it was read. */
function replaceFact({ fact: before, memory }: FactWithMemory, fact: StoredFact): Write[] {
  const key = memoryKey(memory.org, memory.id);
  const condition = { revision: memory.revision };
  const put: Write = { ...putFact(fact), condition: { version: before.version } };
  const slot = slotOf(fact);
  if (slot === slotOf(before)) return [{ check: key, condition }, put];
  const observations = (memory.observations ?? []).map((each) => (each.id === fact.id ? { ...each, slot } : each));
  const set = { observations: observations.map((each) => ({ ...each })) };
  return [{ update: key, set, add: { revision: 1 }, condition }, put];
}
