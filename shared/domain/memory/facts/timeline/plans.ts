import { DAY_MS } from "../../../../kernel/durations.ts";
import { isSimilarValue } from "../../../../language/facts/similarity.ts";
import { bySaid, close, type Entry, isRestored, statesValue } from "./entry.ts";
import { OpenEntries } from "./open-entries.ts";

/**
 * Evaluates plans in the order in which they were stated. A plan is cancelled by a cancellation, moved by the same plan
 * with another date, fulfilled by a state with the same value, and over when its date has passed.
 */
export function placePlans(entries: Entry[], now: number): void {
  if (!entries.some(({ observation }) => observation.act === "plan")) return;
  const open = new OpenEntries();
  for (const entry of [...entries].sort(bySaid)) {
    const { act } = entry.observation;
    if (act === "plan") addPlan(open, entry);
    else if (act === "cancel" || act === "end") cancel(open, entry);
    else if (statesValue(entry) && entry.observation.cardinality === "single") fulfil(open, entry);
  }
  for (const entry of entries) if (entry.observation.act === "plan") closeIfPast(entry, now);
}

function addPlan(open: OpenEntries, plan: Entry): void {
  const date = plan.observation.valid_from;
  const earlier = open.matching(plan.terms, (entry) => isSamePlan(entry, plan));
  for (const entry of earlier) {
    const former = entry.observation.valid_from;
    if (date === undefined || former === undefined || former === date) continue;
    closePlan(entry, plan);
    open.remove(entry);
  }
  open.add(plan);
}

/** Whether `plan` moves `entry`. A plan whose day is already over stays: a second check-up does not move the first. */
function isSamePlan(entry: Entry, plan: Entry): boolean {
  if (entry.observation.valid_from !== undefined && endOf(entry) <= plan.observed.ms) return false;
  return isSimilarValue(entry.terms, plan.terms);
}

function endOf({ from, to }: Entry): number {
  return to?.ms ?? from.ms + DAY_MS;
}

/** Reaching a value ends the plan for it. A new status of a thing ends the plan for the thing. */
function fulfil(open: OpenEntries, by: Entry): void {
  cancel(open, by, by.observation.attribute.startsWith(STATUS) ? NO_TERMS : by.terms);
}

const STATUS = "status_of ";
const NO_TERMS: ReadonlySet<string> = new Set();

function cancel(open: OpenEntries, by: Entry, terms = by.terms): void {
  for (const entry of open.named(terms, (each) => isSimilarValue(each.terms, terms))) {
    closePlan(entry, by);
    open.remove(entry);
  }
}

/** Ends a plan when it is cancelled or moved, not on its date. */
function closePlan(plan: Entry, by: Entry): void {
  if (isRestored(plan)) return;
  close(plan, by);
  plan.to = by.observed;
}

/** Closes a plan if its day is over. */
function closeIfPast(plan: Entry, now: number): void {
  if (plan.to !== undefined || plan.observation.valid_from === undefined) return;
  const end = plan.from.ms + DAY_MS;
  if (end <= now) plan.to = { iso: new Date(end).toISOString(), ms: end };
}
