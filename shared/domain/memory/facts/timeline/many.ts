import { retractCorrected } from "./corrections.ts";
import { close, type Entry, inOrder, tellsValue } from "./entry.ts";
import { OpenEntries } from "./open-entries.ts";
import { placePlans } from "./plans.ts";
import { isRevisedValue, isSameValue, isSimilarValue } from "./similarity.ts";

/** Evaluates a slot with many values at a time, or statements that fit no slot: each ends with a statement about it. */
export function placeMany(entries: Entry[], now: number): void {
  retractCorrected(entries);
  const counted = inOrder(entries.filter(({ isRetracted }) => !isRetracted));
  const open = new OpenEntries();
  for (const entry of counted) {
    if (entry.observation.act === "end") closeEnded(open, entry);
    else if (tellsValue(entry)) addValue(open, entry);
  }
  placePlans(counted, now);
}

function closeEnded(open: OpenEntries, end: Entry): void {
  const last = open.last();
  const ended =
    end.terms.size > 0
      ? open.matching(end.terms, ({ terms }) => isEndOf(end, terms))
      : last === undefined
        ? []
        : [last];
  for (const entry of ended) {
    close(entry, end);
    open.remove(entry);
  }
}

/** An open fact is ended only by the same value. In a slot, it is enough that both are about the same thing. */
function isEndOf(end: Entry, terms: ReadonlySet<string>): boolean {
  return end.observation.cardinality === "open" ? isSameValue(terms, end.terms) : isSimilarValue(terms, end.terms);
}

function addValue(open: OpenEntries, entry: Entry): void {
  if (entry.observation.valid_to !== undefined) return;
  const [same] = open.matching(entry.terms, ({ terms }) => isSameValue(terms, entry.terms));
  if (same !== undefined) entry.from = same.from;
  else if (entry.observation.cardinality === "open") {
    const isWhole = entry.observation.attribute === "";
    const revised = open.matching(entry.terms, ({ terms }) => isRevisedValue(terms, entry.terms, { isWhole }));
    for (const earlier of revised) {
      close(earlier, entry);
      open.remove(earlier);
    }
  }
  open.add(entry);
}
