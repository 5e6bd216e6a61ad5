import { analyse, countShared, termSet } from "../../kernel/text/text.ts";
import { SYNONYMS } from "../../language/facts/properties.ts";
import type { Query } from "../../language/questions/query.ts";
import type { Fact } from "../../language/slots/fact.ts";
import { type PlacedFact, statesValue } from "./fact-reader.ts";
import { ownSlotOf } from "./facts/records.ts";
import { statusAt } from "./facts/timeline/timeline.ts";

/** Whether a memory's facts hold at the requested moment. */
export interface Validity {
  /** How many of its relevant facts no longer hold. */
  superseded: "all" | "some" | undefined;
  /** The memories with the values that hold instead. */
  successors: Set<string>;
}

/** A value that a memory states, and whether it holds at the requested moment. */
interface Stated {
  fact: PlacedFact;
  isHeld: boolean;
  /** Whether another statement superseded or retracted it. */
  isEnded: boolean;
  /** The memory with the value that holds instead. */
  successor?: string;
}

/** Returns the memories with a fact that held at a moment. Only the facts of a memory that fit the query best count. */
export function heldAt(facts: PlacedFact[], asOf: number, query?: Query): Set<string> {
  const slots = [...Map.groupBy(facts, ownSlotOf).values()];
  const held = new Set(slots.flatMap((slot) => statusAt(slot, new Date(asOf)).map(({ id }) => id)));
  const asked = termsAsked(query);
  const values = slots.flatMap((slot) => statedIn(slot, asOf));
  const stated = Map.groupBy(values, ({ fact }) => fact.memory_id);
  const hasHeld = (own: Stated[]) => mostRelevant(own, asked).some(({ fact }) => held.has(fact.id));
  return new Set([...stated].filter(([, own]) => hasHeld(own)).map(([id]) => id));
}

/**
 * Returns the validity by memory id, for memories with a value that was superseded or retracted. Only the facts of a
 * memory that fit the query best count.
 */
export function validityOf(facts: PlacedFact[], asOf: number | undefined, query?: Query): Map<string, Validity> {
  const stated = withOutcomes([...Map.groupBy(facts, ownSlotOf).values()].flatMap((slot) => statedIn(slot, asOf)));
  const asked = termsAsked(query);
  const entries = [...Map.groupBy(stated, ({ fact }) => fact.memory_id)].flatMap(([id, own]): [string, Validity][] => {
    const concerned = mostRelevant(own, asked);
    const ended = concerned.filter(({ isEnded }) => isEnded);
    if (ended.length === 0) return [];
    const successors = ended.flatMap(({ successor }) => successor ?? []);
    const endedPlans = new Set(ended.filter(({ fact }) => fact.act === "plan").map(({ fact }) => fact.span.start));
    const isEndedPlan = ({ act, span }: PlacedFact) => act === "plan" && endedPlans.has(span.start);
    const holding = concerned.filter(({ fact, isHeld }) => isHeld && !isEndedPlan(fact));
    return [[id, { superseded: holding.length > 0 ? "some" : "all", successors: new Set(successors) }]];
  });
  return new Map(entries);
}

/**
 * Returns the predecessor by memory id, for memories that state a value of a slot in which a value was superseded: the
 * memory with the value before the one that the query names, otherwise before the latest one.
 */
export function predecessorsOf(facts: PlacedFact[], query: Query): Map<string, string> {
  const asked = termsAsked(query);
  const slots = Map.groupBy(facts, ownSlotOf);
  const stated = [...slots.values()].flatMap((slot) => statedIn(slot, undefined));
  const before = new Map([...slots].map(([slot, placed]) => [slot, beforeNamed(placed.filter(statesValue), asked)]));
  const predecessors = new Map<string, string>();
  for (const own of Map.groupBy(stated, ({ fact }) => fact.memory_id).values()) {
    for (const { fact } of mostRelevant(own, asked)) {
      const earlier = before.get(ownSlotOf(fact));
      if (earlier !== undefined) predecessors.set(fact.memory_id, earlier.memory_id);
    }
  }
  return predecessors;
}

/** Returns the fact before the latest one that the query names; without such a fact, the one before the latest. */
function beforeNamed(slot: PlacedFact[], asked: ReadonlySet<string>): PlacedFact | undefined {
  const byId = new Map(slot.map((fact) => [fact.id, fact]));
  const later = slot.filter(({ supersedes }) => supersedes !== undefined && byId.has(supersedes));
  const named = later.findLast(({ value }) => analyse(value).some((term) => asked.has(term)));
  return byId.get((named ?? later.at(-1))?.supersedes ?? "");
}

/**
 * Returns the facts that decide about the validity of some memories and of those that hold instead: what closed their
 * facts and holds now, and what ends, cancels or corrects values, with the values.
 */
export function decisiveFor(
  facts: PlacedFact[],
  isConcerned: (memory_id: string) => boolean,
  asOf: number | undefined,
): PlacedFact[] {
  const slots = [...Map.groupBy(facts, ownSlotOf).values()].map((slot) => ({ slot, stated: statedIn(slot, asOf) }));
  const ended = slots.flatMap(({ stated }) => stated.filter(({ isEnded }) => isEnded));
  const successors = ended.flatMap(({ fact, successor }) =>
    successor !== undefined && isConcerned(fact.memory_id) ? [successor] : [],
  );
  const judged = new Set([...facts.map(({ memory_id }) => memory_id).filter(isConcerned), ...successors]);
  return slots.flatMap(({ slot, stated }) => {
    const own = stated.filter(({ fact }) => judged.has(fact.memory_id));
    const acts = slot.filter(({ act, decisions }) => (act !== "state" && act !== "plan") || decisions !== undefined);
    const isSingle = slot.some(({ cardinality }) => cardinality === "single");
    const instead = isSingle && own.some(({ isHeld }) => !isHeld) ? holdingIn(slot, asOf).slice(-1) : [];
    const closing = own.flatMap(({ fact }) => fact.superseded_by ?? []);
    const ids = new Set([...closing, ...acts.flatMap(({ id, supersedes = id }) => [id, supersedes])]);
    for (const { id } of instead) ids.add(id);
    return slot.filter(({ id }) => ids.has(id));
  });
}

/** Returns the facts of a slot that hold at a moment, by default now. */
function holdingIn(slot: PlacedFact[], asOf: number | undefined): Fact[] {
  return asOf === undefined ? slot.filter(({ status }) => status === "current") : statusAt(slot, new Date(asOf));
}

function statedIn(slot: PlacedFact[], asOf: number | undefined): Stated[] {
  const holding = holdingIn(slot, asOf);
  const ids = new Set(holding.map(({ id }) => id));
  const isSingle = slot.some(({ cardinality }) => cardinality === "single");
  return slot.filter(statesValue).map((fact) => {
    const isHeld = ids.has(fact.id) || fact.status === "planned";
    const closing = slot.find(({ id }) => id === fact.superseded_by);
    const next = (isSingle ? holding.at(-1) : undefined) ?? closing;
    const isOther = next !== undefined && next.memory_id !== fact.memory_id;
    const isEnded = !isHeld && (fact.superseded_by !== undefined || fact.status === "retracted");
    return { fact, isHeld, isEnded, ...(isOther && isEnded && { successor: next.memory_id }) };
  });
}

/** A plan has also ended if another plan in the same words has ended: "Thalia wants Lisbon". */
function withOutcomes(stated: Stated[]): Stated[] {
  const keyOf = ({ memory_id, span }: PlacedFact) => `${memory_id}#${span.start}`;
  const plans = stated.filter(({ fact, isEnded }) => fact.act === "plan" && isEnded);
  const outcomes = new Map(plans.map((each) => [keyOf(each.fact), each]));
  return stated.map((each) => {
    const outcome = each.fact.act === "plan" ? outcomes.get(keyOf(each.fact)) : undefined;
    return outcome === undefined ? each : { ...outcome, fact: each.fact };
  });
}

/** The weight of words in a fact's subject, attribute and value, relative to other words of its statement. */
const OWN_WEIGHT = 2;

/** Returns the facts that share the most words with the query, or all if none shares any. */
function mostRelevant(stated: Stated[], asked: ReadonlySet<string>): Stated[] {
  const shared = stated.map(({ fact: { subject, attribute, value, content } }) => {
    const own = termSet(`${subject} ${attribute.replaceAll("_", " ")} ${value}`);
    return OWN_WEIGHT * countShared(own, asked) + countShared(termSet(content), asked);
  });
  const max = Math.max(...shared);
  return stated.filter((_, index) => shared[index] === max);
}

/** Returns the terms of a question; a synonym of a property also counts under the property's name in facts. */
function termsAsked(query: Query | undefined): ReadonlySet<string> {
  return query?.once(readTermsAsked) ?? new Set();
}

function readTermsAsked({ words, terms }: Query): ReadonlySet<string> {
  const properties = words.flatMap(({ folded }) => SYNONYMS.get(folded) ?? []);
  return new Set([...terms, ...analyse(properties.join(" "))]);
}
