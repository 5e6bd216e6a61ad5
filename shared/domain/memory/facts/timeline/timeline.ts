import type { Fact, Observation } from "../../../../language/slots/fact.ts";
import { type Entry, entryOf, inOrder, retract, statusOf } from "./entry.ts";
import { placeMany } from "./many.ts";
import { placeSingle } from "./single.ts";

/**
 * Returns the facts of one slot from all of its observations. The order of the input does not matter: an older
 * statement that arrives late takes its place in the past, and deleting a statement reopens what it had closed. Takes
 * O(n log n) time.
 */
export function placeFacts(observations: readonly Observation[], now: Date): Fact[] {
  const entries = inOrder(observations.map(entryOf));
  const considered = entries.filter(({ observation }) => observation.decision !== "retracted");
  const isSingle = considered.some(({ observation }) => observation.cardinality === "single");
  (isSingle ? placeSingle : placeMany)(considered, now.getTime());
  for (const entry of entries) if (entry.observation.decision === "retracted") retract(entry);
  return inOrder(entries.filter(isFact)).map((entry) => factOf(entry, now.getTime()));
}

/** A guess is a fact only if it closes another fact or is closed by one, and an end without a value only if it closes one. */
function isFact({ observation, supersedes, closer }: Entry): boolean {
  const { act, value, decision, is_guess } = observation;
  if (supersedes !== undefined || decision !== undefined) return true;
  if (act === "end" || act === "cancel") return value !== "" && !is_guess;
  return closer !== undefined || !is_guess;
}

function factOf(entry: Entry, now: number): Fact {
  const { observation, from, to, supersedes, closer } = entry;
  const { valid_from: _from, valid_to: _to, ...rest } = observation;

  return {
    ...rest,
    status: statusOf(entry, now),
    valid_from: from.iso,
    ...(to !== undefined && { valid_to: to.iso }),
    ...(supersedes !== undefined && { supersedes }),
    ...(closer !== undefined && { superseded_by: closer.observation.id }),
  };
}

/** Returns the facts that held at a moment with their status then; of single values, the one that began last. */
export function statusAt(facts: readonly Fact[], asOf: Date): Fact[] {
  const moment = asOf.getTime();
  const held = facts.filter((fact) => holdsAt(fact, moment));
  const last = held.filter(({ cardinality, act }) => cardinality === "single" && act !== "plan").at(-1);
  const isLast = (fact: Fact) => fact.decision === "restored" || fact.valid_from === last?.valid_from;
  return held
    .filter((fact) => fact.cardinality !== "single" || fact.act === "plan" || isLast(fact))
    .map(({ superseded_by: _, ...fact }) => ({ ...fact, status: fact.act === "plan" ? "planned" : "current" }));
}

function holdsAt({ act, status, valid_from, valid_to, observed_at, superseded_by }: Fact, moment: number): boolean {
  if (status === "retracted" || act === "end" || act === "cancel") return false;
  const end = valid_to === undefined ? Number.POSITIVE_INFINITY : Date.parse(valid_to);
  if (act !== "plan") return Date.parse(valid_from) <= moment && moment < end;
  return Date.parse(observed_at) <= moment && (superseded_by === undefined || moment < end);
}
