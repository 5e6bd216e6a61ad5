import { DAY_MS } from "../../../../kernel/durations.ts";
import { bySaid, type Entry, statesValue } from "./entry.ts";
import { OpenEntries } from "./open-entries.ts";

/** A change is news if it took effect at most this long before its statement: "I moved last month". */
const NEWS_MS = 62 * DAY_MS;

/** Whether an end applies to the value of an entry. */
type IsEndOf = (end: Entry, entry: Entry) => boolean;

/**
 * Moves the start of a value back to a change that is stated later but took effect earlier: after "I live in Rome", "I
 * moved to Oslo last week" says where the user lives now. A value with its own start keeps it.
 */
export function startBeforeNews(entries: Entry[], isEndOf: IsEndOf): void {
  let change: Entry | undefined;
  let end: Entry | undefined;
  for (const entry of relevant(entries).reverse()) {
    if (!hasOwnStart(entry)) {
      if (change !== undefined) startWith(entry, change);
      if (end !== undefined && isEndOf(end, entry)) startWith(entry, end);
    } else if (isNews(entry)) {
      if (isEnd(entry)) end = entry;
      else if (change === undefined || entry.from.ms < change.from.ms) change = entry;
    }
  }
}

/** Does the same for slots with many values, where an end applies only to the values that it names. */
export function startBeforeEnds(entries: Entry[], isEndOf: IsEndOf): void {
  if (!entries.some((entry) => isEnd(entry) && isNews(entry))) return;
  const open = new OpenEntries();
  for (const entry of relevant(entries)) {
    if (!isEnd(entry)) {
      if (!hasOwnStart(entry)) open.add(entry);
    } else if (isNews(entry)) {
      for (const ended of open.matching(entry.terms, (each) => isEndOf(entry, each))) startWith(ended, entry);
    }
  }
}

function relevant(entries: Entry[]): Entry[] {
  return entries
    .filter((entry) => isEnd(entry) || (statesValue(entry) && entry.observation.valid_to === undefined))
    .sort(bySaid);
}

function isEnd({ observation: { act } }: Entry): boolean {
  return act === "end";
}

function hasOwnStart(entry: Entry): boolean {
  return isEnd(entry) || entry.observation.valid_from !== undefined;
}

function isNews({ observed, from }: Entry): boolean {
  return observed.ms - from.ms <= NEWS_MS;
}

function startWith(entry: Entry, { from }: Entry): void {
  if (from.ms < entry.from.ms) entry.from = from;
}
