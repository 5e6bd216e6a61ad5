import type { Query } from "../../language/questions/query.ts";
import { questionTimeOf } from "../../language/questions/question-time.ts";
import { relationsIn } from "../../language/questions/relations.ts";
import { USER } from "../../language/slots/fact.ts";
import { slotKey } from "../../language/slots/slot-key.ts";
import type { SearchFilters } from "../../ports/search-index.ts";
import { latestOfSlots } from "../memory/facts/latest.ts";
import type { StoredFact } from "../memory/facts/records.ts";
import type { RecordReader } from "../memory/records.ts";
import { onlyUserOf } from "../memory/reveal-secrets.ts";
import { type Asked, likeliestSlot } from "./ranking/asked.ts";
import { SURE } from "./ranking/held-slots.ts";
import { namesOf } from "./ranking/names.ts";

/** Number of the latest facts that are read of a slot, and maximum number of names whose slots are read. */
const LATEST = 4;
const MAX_NAMES = 3;

/** What a question asks for, with the latest facts that may answer it, whatever their visibility. */
export interface AskedFacts extends Asked {
  stated: StoredFact[];
}

interface AskedOfUser {
  query: Query;
  slots: Asked | undefined;
  filters?: SearchFilters | undefined;
}

/**
 * Returns the latest facts of the slot that a question surely asks for, of the searched user or of those whom it names: the
 * memory that answers may be behind hundreds that only mention the topic. One round trip; none for others, and for the past.
 */
export async function readAskedFacts(ctx: RecordReader, { query, slots, filters = {} }: AskedOfUser) {
  const user = onlyUserOf(filters);
  // A slot has facts of all agents and sessions, and what is limited to one of them must not use others' facts.
  if (slots === undefined || user === undefined || filters.where !== undefined || isOfPast(query)) return [];
  const [slot, probability] = likeliestSlot(slots);
  const subjects = subjectsOf(query, slot, probability * slots.ofUser);
  if (probability < SURE || subjects.length === 0) return [];
  return latestOfSlots(
    ctx,
    user,
    subjects.map((subject) => slotKey(subject, slot)),
    LATEST,
  );
}

function isOfPast(query: Query): boolean {
  const time = questionTimeOf(query);
  return time === "past" || time === "before";
}

/** Returns whom a question asks about: those whom it names, or the user, unless it names a relative of the user. */
function subjectsOf(query: Query, slot: string, ofUser: number): string[] {
  const names = namesOf(query);
  if (names.length > 0) return names.slice(0, MAX_NAMES);
  const related = new Set(relationsIn(query).values());
  return ofUser < SURE || (related.size > 0 && !related.has(slot)) ? [] : [USER];
}
