import type { PlacedFact } from "../facts/reader.ts";
import { tellsValue } from "../facts/reader.ts";
import { slotOf } from "../facts/records.ts";
import { statusAt } from "../facts/timeline.ts";
import { words } from "../retrieval/text.ts";

/** What a memory's facts say of it at the moment that is asked for. */
export interface Validity {
  /** What it says of slots no longer holds, all of it or some. */
  superseded: "all" | "some" | undefined;
  /** Memories that say what holds instead. */
  successors: Set<string>;
}

/** Words by which a question is about what was. */
const PAST = new Set(
  words(`was were did before used previously previous former formerly first original originally earlier old ex once back then history
   changed change changes why since until ago war waren früher vorher damals ehemals zuerst warum antes era estaba vivía fue
   primero avant était autrefois ancien ancienne premier`).map(({ folded }) => folded),
);

/** Whether a question is about the past, so that what no longer holds answers it. */
export function isAboutPast(query: string): boolean {
  return words(query).some(({ folded }) => PAST.has(folded));
}

/** By memory, for those that state a value of a slot of which another value holds. */
export function validityOf(facts: PlacedFact[], asOf: number | undefined): Map<string, Validity> {
  const known = new Map<string, { held: number; superseded: number; successors: Set<string> }>();
  for (const slot of Map.groupBy(facts, slotOf).values()) {
    const holding =
      asOf === undefined ? slot.filter(({ status }) => status === "current") : statusAt(slot, new Date(asOf));
    const ids = new Set(holding.map(({ id }) => id));
    const isSingle = slot.some(({ cardinality }) => cardinality === "single");
    for (const fact of slot.filter((each) => tellsValue(each) && each.attribute !== "")) {
      const state = known.get(fact.memory_id) ?? { held: 0, superseded: 0, successors: new Set<string>() };
      known.set(fact.memory_id, state);
      const isHeld = ids.has(fact.id) || fact.status === "planned";
      if (isHeld) state.held++;
      else if (fact.superseded_by !== undefined || fact.status === "retracted") {
        state.superseded++;
        const last = isSingle ? holding.at(-1)?.memory_id : slot.find(({ id }) => id === fact.superseded_by)?.memory_id;
        if (last !== undefined && last !== fact.memory_id) state.successors.add(last);
      }
    }
  }
  return new Map(
    [...known].flatMap(([id, { held, superseded, successors }]): [string, Validity][] =>
      superseded === 0 ? [] : [[id, { superseded: held === 0 ? "all" : "some", successors }]],
    ),
  );
}
