import { analyse, words } from "../retrieval/text.ts";
import { SYNONYMS } from "./read/subjects.ts";
import { type PlacedFact, tellsValue } from "./reader.ts";
import { slotOf } from "./records.ts";
import { statusAt } from "./timeline.ts";

/** What a memory's facts say of it at the moment that is asked for. */
export interface Validity {
  /** What it says of slots no longer holds, all of it or some. */
  superseded: "all" | "some" | undefined;
  /** All that it says of slots with one or many values no longer holds; what no slot fits is not counted. */
  isOutdated: boolean;
  /** Memories that say what holds instead. */
  successors: Set<string>;
}

/** A value that a memory states, and whether it holds at the moment that is asked for. */
interface Stated {
  fact: PlacedFact;
  isHeld: boolean;
  /** Another statement closed it, or took it back. */
  isEnded: boolean;
  /** The memory that says what holds instead. */
  successor?: string;
}

/** The memories of which something held at a moment. */
export function heldAt(facts: PlacedFact[], asOf: number): Set<string> {
  const slots = [...Map.groupBy(facts, slotOf).values()];
  return new Set(slots.flatMap((slot) => statusAt(slot, new Date(asOf)).map(({ memory_id }) => memory_id)));
}

/**
 * By memory, for those that state a value of a slot of which another value holds. With a query, a memory is judged by those
 * of its facts that share most words with it, where any do.
 */
export function validityOf(facts: PlacedFact[], asOf: number | undefined, query = ""): Map<string, Validity> {
  const stated = withOutcomes([...Map.groupBy(facts, slotOf).values()].flatMap((slot) => statedIn(slot, asOf)));
  const asked = termsAsked(query);
  const judged = [...Map.groupBy(stated, ({ fact }) => fact.memory_id)].flatMap(([id, own]): [string, Validity][] => {
    const concerned = concerning(own, asked);
    const ended = concerned.filter(({ isEnded }) => isEnded);
    if (ended.length === 0) return [];
    const successors = ended.flatMap(({ successor }) => successor ?? []);
    const off = new Set(ended.filter(({ fact }) => fact.act === "plan").map(({ fact }) => fact.span.start));
    const holding = concerned.filter(
      ({ fact, isHeld }) => isHeld && !(fact.act === "plan" && off.has(fact.span.start)),
    );
    const isOutdated = holding.every(({ fact }) => fact.cardinality === "open");
    const superseded = holding.length > 0 ? "some" : "all";
    return [[id, { superseded, isOutdated, successors: new Set(successors) }]];
  });
  return new Map(judged);
}

/**
 * By memory, for those that state a value of a slot of which another value took the place of one: the memory that says what
 * held before the value that the query names, or before the one that holds.
 */
export function predecessorsOf(facts: PlacedFact[], query: string): Map<string, string> {
  const asked = termsAsked(query);
  const slots = Map.groupBy(facts, slotOf);
  const stated = [...slots.values()].flatMap((slot) => statedIn(slot, undefined));
  const before = new Map([...slots].map(([slot, placed]) => [slot, beforeNamed(placed.filter(tellsValue), asked)]));
  const predecessors = new Map<string, string>();
  for (const own of Map.groupBy(stated, ({ fact }) => fact.memory_id).values()) {
    for (const { fact } of concerning(own, asked)) {
      const earlier = before.get(slotOf(fact));
      if (earlier !== undefined) predecessors.set(fact.memory_id, earlier.memory_id);
    }
  }
  return predecessors;
}

function beforeNamed(slot: PlacedFact[], asked: ReadonlySet<string>): PlacedFact | undefined {
  const byId = new Map(slot.map((fact) => [fact.id, fact]));
  const later = slot.filter(({ supersedes }) => supersedes !== undefined && byId.has(supersedes));
  const named = later.findLast(({ value }) => analyse(value).some((term) => asked.has(term)));
  return byId.get((named ?? later.at(-1))?.supersedes ?? "");
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
      const isEnded = !isHeld && hasEnded(fact);
      return { fact, isHeld, isEnded, ...(isOther && isEnded && { successor: next.memory_id }) };
    });
}

/** A plan has ended where what it is for has, which its own words tell of as well: "Thalia wants Lisbon". */
function withOutcomes(stated: Stated[]): Stated[] {
  const keyOf = ({ memory_id, span }: PlacedFact) => `${memory_id}#${span.start}`;
  const plans = stated.filter(({ fact, isEnded }) => fact.act === "plan" && isEnded);
  const outcomes = new Map(plans.map((each) => [keyOf(each.fact), each]));
  return stated.map((each) => {
    const outcome = each.fact.act === "plan" ? outcomes.get(keyOf(each.fact)) : undefined;
    return outcome === undefined ? each : { ...outcome, fact: each.fact };
  });
}

function hasEnded({ superseded_by, status }: PlacedFact): boolean {
  return superseded_by !== undefined || status === "retracted";
}

/** What a fact is about counts more than the words around it. */
const OWN_WEIGHT = 2;

/**
 * Those that share most words with the query; all where none shares any. Facts that no slot fits count where no other one
 * shares a word: nothing tells whether they still hold.
 */
function concerning(stated: Stated[], asked: ReadonlySet<string>): Stated[] {
  const inSlots = mostShared(
    stated.filter(({ fact }) => fact.cardinality !== "open"),
    asked,
  );
  return inSlots.length > 0 ? inSlots : ([mostShared(stated, asked), stated].find(({ length }) => length > 0) ?? []);
}

function mostShared(stated: Stated[], asked: ReadonlySet<string>): Stated[] {
  const shared = stated.map(({ fact: { subject, attribute, value, content } }) => {
    const own = sharedTerms(`${subject} ${attribute.replaceAll("_", " ")} ${value}`, asked);
    return OWN_WEIGHT * own + sharedTerms(content, asked);
  });
  const most = Math.max(1, ...shared);
  return stated.filter((_, place) => shared[place] === most);
}

function sharedTerms(text: string, asked: ReadonlySet<string>): number {
  return [...new Set(analyse(text))].filter((term) => asked.has(term)).length;
}

/** The terms of a question; a property counts under the name that facts have it by as well. */
function termsAsked(query: string): ReadonlySet<string> {
  const properties = words(query).flatMap(({ folded }) => SYNONYMS[folded] ?? []);
  return new Set([...analyse(query), ...analyse(properties.join(" "))]);
}
