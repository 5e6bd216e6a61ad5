import { isSameValue, isSimilarValue } from "../../../../language/facts/similarity.ts";
import { retractCorrected } from "./corrections.ts";
import { bySaid, close, type Entry, inOrder, statesValue } from "./entry.ts";
import { startBeforeNews } from "./news.ts";
import { OpenEntries } from "./open-entries.ts";
import { placePlans } from "./plans.ts";

/** Evaluates a slot with one value at a time: each value ends where the next one begins. */
export function placeSingle(entries: Entry[], now: number): void {
  retractCorrected(entries);
  const remaining = entries.filter(({ isRetracted }) => !isRetracted);
  startBeforeNews(remaining, isEndOf);
  callOff(remaining);
  const ordered = inOrder(remaining);
  const values = ordered.filter(
    (entry) => (statesValue(entry) && !isCalledOff(entry)) || entry.observation.act === "end",
  );
  /** The statements of the current value. */
  let open: Entry[] = [];
  const bounded: Entry[] = [];
  for (const entry of values) {
    if (entry.observation.act === "end") {
      if (open[0] !== undefined && isEndOf(entry, open[0])) {
        closeAll(open, entry);
        open = [];
      }
    } else if (isBounded(entry)) bounded.push(entry);
    else open = extend(open, entry);
  }
  movePastValues(bounded, values);
  placePlans(ordered, now);
}

/** Ends values that begin later, if that is called off before their day. */
function callOff(entries: Entry[]): void {
  const ahead = new OpenEntries();
  for (const entry of [...entries].sort(bySaid)) {
    const { act } = entry.observation;
    if (act === "end" || act === "cancel") {
      const isAhead = (each: Entry) => each.from.ms > entry.observed.ms && isEndOf(entry, each);
      for (const value of entry.terms.size === 0 ? [] : ahead.matching(entry.terms, isAhead)) {
        close(value, entry);
        ahead.remove(value);
      }
    } else if (statesValue(entry) && entry.from.ms > entry.observed.ms) ahead.add(entry);
  }
}

function isCalledOff({ closer }: Entry): boolean {
  return closer !== undefined;
}

/** Whether the interval has its own end, so that it closes no other interval: it is over, or temporary. */
function isBounded({ observation }: Entry): boolean {
  return observation.valid_to !== undefined;
}

/** Returns the statements of the current value after `entry`. */
function extend(open: Entry[], entry: Entry): Entry[] {
  const [first] = open;
  if (first === undefined) return [entry];
  if (isSameValue(first.terms, entry.terms)) {
    entry.from = first.from;
    return [...open, entry];
  }
  closeAll(open, entry);
  return [entry];
}

function closeAll(open: Entry[], by: Entry): void {
  for (const entry of open) close(entry, by);
}

/** Whether an end applies to an entry. An end without a value ends every value. */
function isEndOf({ terms }: Entry, entry: Entry): boolean {
  return terms.size === 0 || isSimilarValue(entry.terms, terms);
}

/** Moves past values without a stated start before the value that was current when they were mentioned. */
function movePastValues(bounded: Entry[], values: Entry[]): void {
  const unbounded = values.filter((entry) => statesValue(entry) && !isBounded(entry));
  for (const entry of bounded) {
    if (entry.observation.valid_from !== undefined) continue;
    const current = unbounded[lastUpTo(unbounded, entry.from.ms)];
    if (current === undefined || isSameValue(current.terms, entry.terms)) continue;
    entry.from = current.from;
    entry.to = current.from;
  }
}

/** Returns the index of the last entry that starts at or before a moment in epoch milliseconds; -1 if none does. */
function lastUpTo(entries: Entry[], moment: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.from.ms ?? 0) <= moment) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
