import { factsOfSlots, type PlacedFact, tellsValue } from "../facts/reader.ts";
import { putFact } from "../facts/records.ts";
import { sha256 } from "../kernel/digest.ts";
import { derivedId } from "../kernel/ids.ts";
import type { FactReference, Memory } from "../memory/memory.ts";
import { MEMORY_KIND } from "../memory/records.ts";
import type { RecordChange } from "../platform/changes.ts";
import type { OrgHome } from "../platform/context.ts";
import { fromItem } from "../platform/item.ts";
import { latestOf, type Occurrence } from "./events.ts";
import type { WebhookEventName } from "./webhook.ts";

/** A memory that came to state something. */
export interface Statement {
  memory: Pick<Memory, "org" | "id" | "user_id" | "agent_id" | "category">;
  facts: FactReference[];
  /** ISO; when it did. */
  timestamp: string;
  /** Epoch milliseconds; when the change was committed. */
  at: number;
}

/** What a change of a memory states anew. What is read from a memory later, at the same revision, is no news. */
export function statementIn({ before, after, at = 0 }: RecordChange): Statement | undefined {
  if (after?.kind !== MEMORY_KIND || before?.revision === after.revision) return undefined;
  const memory = fromItem<Memory>(after);
  const former = new Set((before?.observations as FactReference[] | undefined)?.map(({ id }) => id));
  const facts = (memory.observations ?? []).filter(({ id }) => !former.has(id));
  return facts.length === 0 ? undefined : { memory, facts, timestamp: latestOf(at, after), at };
}

/**
 * The events of what memories state: each new fact, and each fact that one of them closes or is closed by, as far as
 * whoever stored the memory may read. The same pair is the same event, whichever of the two is looked at, and how often.
 */
export async function factEvents(home: OrgHome, { memory, facts, timestamp, at }: Statement): Promise<Occurrence[]> {
  const slots = [...new Set(facts.map(({ slot }) => slot))];
  const placed = await factsOfSlots({ ...home, viewer: memory.agent_id }, memory.user_id, slots);
  const ids = new Set(facts.map(({ id }) => id));
  const { org, user_id, category } = memory;
  const occur = (event: WebhookEventName, fact: PlacedFact, by: string): Occurrence => ({
    id: derivedId("event", sha256(JSON.stringify([org, event, fact.id, by]))),
    ...{ event, timestamp, org, user_id, category, at },
    record: putFact(fact).put,
  });
  const isNew = (id: string | undefined) => id !== undefined && ids.has(id);
  return placed.flatMap((fact) => [
    ...(isNew(fact.id) && tellsValue(fact) ? [occur("fact.created", fact, "")] : []),
    ...(fact.superseded_by !== undefined && (isNew(fact.id) || isNew(fact.superseded_by))
      ? [occur("fact.superseded", fact, fact.superseded_by)]
      : []),
  ]);
}
