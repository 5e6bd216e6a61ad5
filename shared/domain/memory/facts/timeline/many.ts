import { isSameValue, isSimilarValue } from "../../../../language/facts/similarity.ts";
import { KIN } from "../../../../language/slots/slots.ts";
import { retractCorrected } from "./corrections.ts";
import { close, type Entry, inOrder, statesValue } from "./entry.ts";
import { startBeforeEnds } from "./news.ts";
import { OpenEntries } from "./open-entries.ts";
import { placePlans } from "./plans.ts";

/** Evaluates a slot with many values at a time: each ends with a statement about it. */
export function placeMany(entries: Entry[], now: number): void {
  retractCorrected(entries);
  const remaining = entries.filter(({ isRetracted }) => !isRetracted);
  startBeforeEnds(remaining, isEndOf);
  const ordered = inOrder(remaining);
  const open = new OpenEntries();
  for (const entry of ordered) {
    if (entry.observation.act === "end") closeEnded(open, entry);
    else if (statesValue(entry)) addValue(open, entry);
  }
  placePlans(ordered, now);
}

function closeEnded(open: OpenEntries, end: Entry): void {
  const ended = open.named(end.terms, (entry) => isEndOf(end, entry));
  for (const entry of [...ended, ...ended.flatMap((each) => unnamedIn(open, each))]) {
    close(entry, end);
    open.remove(entry);
  }
}

const KIN_SLOTS = new Set(KIN.values());

/** Returns the entries for the same person or animal before it was named: "a dog" ends with "Rex (dog)". */
function unnamedIn(open: OpenEntries, { terms, observation }: Entry): Entry[] {
  if (!KIN_SLOTS.has(observation.attribute)) return [];
  return open.matching(terms, (each) => each.terms.size < terms.size && isSameValue(each.terms, terms));
}

/** Whether an end applies to an entry. */
function isEndOf(end: Entry, { terms }: Entry): boolean {
  return isSimilarValue(terms, end.terms);
}

function addValue(open: OpenEntries, entry: Entry): void {
  if (entry.observation.valid_to !== undefined) return;
  const [same] = open.matching(entry.terms, ({ terms }) => isSameValue(terms, entry.terms));
  if (same !== undefined) entry.from = same.from;
  open.add(entry);
}
