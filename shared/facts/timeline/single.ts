import { isSameValue, isSimilarValue } from "../similarity.ts";
import { retractCorrected } from "./corrections.ts";
import { close, type Entry, inOrder, tellsValue } from "./entry.ts";
import { placePlans } from "./plans.ts";

/** Places a slot that has one value at a time: each value ends where the next one begins. */
export function placeSingle(entries: Entry[], now: number): void {
  retractCorrected(entries);
  const counted = inOrder(entries.filter(({ isRetracted }) => !isRetracted));
  const values = counted.filter((entry) => tellsValue(entry) || entry.observation.act === "end");
  /** The statements of the value that holds. */
  let open: Entry[] = [];
  const before: Entry[] = [];
  for (const entry of values) {
    if (entry.observation.act === "end") {
      if (isEndedBy(open, entry)) {
        closeAll(open, entry);
        open = [];
      }
    } else if (isBounded(entry)) before.push(entry);
    else open = goOn(open, entry);
  }
  setBack(before, values);
  placePlans(counted, now);
}

/** An interval with an end of its own, which closes no other: it is over, or it is for a while. */
function isBounded({ observation }: Entry): boolean {
  return observation.valid_to !== undefined;
}

/** The statements of the value that holds once `entry` is told. */
function goOn(open: Entry[], entry: Entry): Entry[] {
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

function isEndedBy([first]: Entry[], { terms }: Entry): boolean {
  return first !== undefined && (terms.size === 0 || isSimilarValue(first.terms, terms));
}

/** A value that is over and whose beginning nobody told held before the value that holds where it was mentioned. */
function setBack(bounded: Entry[], values: Entry[]): void {
  const unbounded = values.filter((entry) => tellsValue(entry) && !isBounded(entry));
  for (const entry of bounded) {
    if (entry.observation.valid_from !== undefined) continue;
    const holding = unbounded[lastUpTo(unbounded, entry.from.ms)];
    if (holding === undefined || isSameValue(holding.terms, entry.terms)) continue;
    entry.from = holding.from;
    entry.to = holding.from;
  }
}

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
