import { sha256 } from "../../../kernel/digest.ts";
import { derivedId } from "../../../kernel/ids.ts";
import type { RecordChange } from "../../../ports/changes.ts";
import { fromItem } from "../../../ports/item.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import { factsOfSlots, type PlacedFact, statesValue } from "../../memory/fact-reader.ts";
import { putFact } from "../../memory/facts/records.ts";
import type { FactReference, Memory } from "../../memory/memory.ts";
import { MEMORY_KIND } from "../../memory/memory-keys.ts";
import { latestOf, type Occurrence } from "./events.ts";
import type { WebhookEventName } from "./webhook.ts";

/** A memory with new statements. */
export interface Statement {
  memory: Pick<Memory, "org" | "id" | "user_id" | "agent_id" | "category">;
  facts: FactReference[];
  /** ISO 8601. */
  timestamp: string;
  /** Epoch milliseconds of the commit. */
  at: number;
}

/** The new statements of a memory change. Facts that are read later from the same revision are not new. */
export function statementIn({ before, after, at = 0 }: RecordChange): Statement | undefined {
  if (after?.kind !== MEMORY_KIND || before?.revision === after.revision) return undefined;
  const memory = fromItem<Memory>(after);
  const former = new Set((before?.observations as FactReference[] | undefined)?.map(({ id }) => id));
  const facts = (memory.observations ?? []).filter(({ id }) => !former.has(id));
  return facts.length === 0 ? undefined : { memory, facts, timestamp: latestOf(at, after), at };
}

/**
 * Returns the events of a memory's statements: each new fact, and each fact that is closed by another one if either of
 * them is new, as far as the memory's author may read them. The same pair always makes the same event.
 */
export async function factEvents(
  runtime: OrgRuntime,
  { memory, facts, timestamp, at }: Statement,
): Promise<Occurrence[]> {
  const slots = [...new Set(facts.map(({ slot }) => slot))];
  const placed = await factsOfSlots({ ...runtime, viewer: memory.agent_id }, memory.user_id, slots);
  const ids = new Set(facts.map(({ id }) => id));
  const { org, user_id, category } = memory;
  const occur = (event: WebhookEventName, fact: PlacedFact, by: string): Occurrence => ({
    id: derivedId("event", sha256(JSON.stringify([org, event, fact.id, by]))),
    ...{ event, timestamp, org, user_id, category, at },
    record: putFact(fact).put,
  });
  const isNew = (id: string | undefined) => id !== undefined && ids.has(id);
  return placed.flatMap((fact) => [
    ...(isNew(fact.id) && statesValue(fact) ? [occur("fact.created", fact, "")] : []),
    ...(fact.superseded_by !== undefined && (isNew(fact.id) || isNew(fact.superseded_by))
      ? [occur("fact.superseded", fact, fact.superseded_by)]
      : []),
  ]);
}
