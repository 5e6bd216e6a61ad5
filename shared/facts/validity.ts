import { analyse, words } from "../retrieval/text.ts";
import { type PlacedFact, tellsValue } from "./reader.ts";
import { slotOf } from "./records.ts";
import { statusAt } from "./timeline.ts";

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

/** A value that a memory states, and whether it holds at the moment that is asked for. */
interface Stated {
  fact: PlacedFact;
  isHeld: boolean;
  /** The memory that says what holds instead. */
  successor?: string;
}

/**
 * By memory, for those that state a value of a slot of which another value holds. With a query, a memory is judged by those
 * of its facts that share most words with it, where any do.
 */
export function validityOf(facts: PlacedFact[], asOf: number | undefined, query = ""): Map<string, Validity> {
  const stated = [...Map.groupBy(facts, slotOf).values()].flatMap((slot) => statedIn(slot, asOf));
  const asked = new Set(analyse(query));
  const judged = [...Map.groupBy(stated, ({ fact }) => fact.memory_id)].flatMap(([id, own]): [string, Validity][] => {
    const concerned = concerning(own, asked);
    const superseded = concerned.filter(({ fact, isHeld }) => !isHeld && hasEnded(fact));
    if (superseded.length === 0) return [];
    const successors = superseded.flatMap(({ successor }) => successor ?? []);
    const holds = concerned.some(({ isHeld }) => isHeld);
    return [[id, { superseded: holds ? "some" : "all", successors: new Set(successors) }]];
  });
  return new Map(judged);
}

function statedIn(slot: PlacedFact[], asOf: number | undefined): Stated[] {
  const holding =
    asOf === undefined ? slot.filter(({ status }) => status === "current") : statusAt(slot, new Date(asOf));
  const ids = new Set(holding.map(({ id }) => id));
  const isSingle = slot.some(({ cardinality }) => cardinality === "single");
  return slot
    .filter((fact) => tellsValue(fact) && fact.attribute !== "")
    .map((fact) => {
      const isHeld = ids.has(fact.id) || fact.status === "planned";
      const closing = slot.find(({ id }) => id === fact.superseded_by);
      const next = (isSingle ? holding.at(-1) : undefined) ?? closing;
      const isOther = next !== undefined && next.memory_id !== fact.memory_id;
      return { fact, isHeld, ...(isOther && !isHeld && hasEnded(fact) && { successor: next.memory_id }) };
    });
}

function hasEnded({ superseded_by, status }: PlacedFact): boolean {
  return superseded_by !== undefined || status === "retracted";
}

/** Those that share most words with the query; all where none shares any. */
function concerning(stated: Stated[], asked: ReadonlySet<string>): Stated[] {
  const shared = stated.map(({ fact: { attribute, content } }) => {
    const own = new Set(analyse(`${attribute.replaceAll("_", " ")} ${content}`));
    return [...own].filter((term) => asked.has(term)).length;
  });
  const most = Math.max(...shared);
  return stated.filter((_, place) => shared[place] === most);
}
