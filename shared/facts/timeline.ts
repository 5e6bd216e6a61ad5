import type { Fact, Observation } from "./fact.ts";
import { closedBy, type Entry, entryOf, inOrder, retracted, statusOf } from "./timeline/entry.ts";
import { placeMany } from "./timeline/many.ts";
import { placeSingle } from "./timeline/single.ts";

export { slotKey } from "./slot-key.ts";

/**
 * The facts of one slot, from all that was observed of it: the same ones in any order give the same facts, so an older
 * statement that arrives late takes its place in the past, and one that is deleted reopens what it had closed.
 * Takes time in proportion to n log n.
 */
export function placeFacts(observations: readonly Observation[], now: Date): Fact[] {
  const entries = inOrder(observations.map(entryOf));
  const counted = entries.filter(({ observation }) => observation.decision !== "retracted");
  const isSingle = counted.some(({ observation }) => observation.cardinality === "single");
  (isSingle ? placeSingle : placeMany)(counted, now.getTime());
  for (const entry of entries) if (entry.observation.decision === "retracted") retracted(entry);
  return inOrder(entries.filter(isFact)).map((entry) => factOf(entry, now.getTime()));
}

/** Below it an end is a guess. */
const MIN_END_CONFIDENCE = 0.5;

/** An end or a cancellation that names no value, or guesses its slot, is a fact where it closes one. */
function isFact({ observation: { act, value, confidence, decision }, supersedes }: Entry): boolean {
  if ((act !== "end" && act !== "cancel") || supersedes !== undefined || decision !== undefined) return true;
  return value !== "" && confidence >= MIN_END_CONFIDENCE;
}

function factOf(entry: Entry, now: number): Fact {
  const { observation, from, to, supersedes } = entry;
  const { valid_from: _from, valid_to: _to, ...rest } = observation;
  const superseded_by = closedBy(entry);
  return {
    ...rest,
    status: statusOf(entry, now),
    valid_from: from.iso,
    ...(to !== undefined && { valid_to: to.iso }),
    ...(supersedes !== undefined && { supersedes }),
    ...(superseded_by !== undefined && { superseded_by }),
  };
}

/**
 * The facts that held at a moment, of those that `placeFacts` gave: each with the status it has seen from there. Of a
 * slot with one value at a time it is the one that began last.
 */
export function statusAt(facts: readonly Fact[], asOf: Date): Fact[] {
  const moment = asOf.getTime();
  const held = facts.filter((fact) => holdsAt(fact, moment));
  const last = held.filter(({ cardinality, act }) => cardinality === "single" && act !== "plan").at(-1);
  return held
    .filter(
      (fact) => fact.cardinality !== "single" || fact.act === "plan" || last === undefined || isBeside(fact, last),
    )
    .map(({ superseded_by: _, ...fact }) => ({ ...fact, status: fact.act === "plan" ? "planned" : "current" }));
}

/** The same interval is told by each statement that repeats its value. */
function isBeside(fact: Fact, last: Fact): boolean {
  return fact.decision === "restored" || fact.valid_from === last.valid_from;
}

function holdsAt({ act, status, valid_from, valid_to, observed_at, superseded_by }: Fact, moment: number): boolean {
  if (status === "retracted" || act === "end" || act === "cancel") return false;
  const end = valid_to === undefined ? Number.POSITIVE_INFINITY : Date.parse(valid_to);
  if (act !== "plan") return Date.parse(valid_from) <= moment && moment < end;
  return Date.parse(observed_at) <= moment && (superseded_by === undefined || moment < end);
}
