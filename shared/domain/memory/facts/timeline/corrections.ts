import { isSimilarValue, termsOf } from "../../../../language/facts/similarity.ts";
import { bySaid, type Entry, isRestored, retract } from "./entry.ts";

/** Maximum statements before a correction in which the corrected value is searched for. */
const MAX_COMPARED = 16;

/**
 * Retracts the value that a correction names, else the previous single value; the correction takes over its start.
 * Restored values are not retracted.
 */
export function retractCorrected(entries: Entry[]): void {
  if (!entries.some(({ observation }) => observation.act === "correct")) return;
  const said: Entry[] = [];
  const statements = entries.filter(
    ({ observation: { act } }) => act === "state" || act === "plan" || act === "correct",
  );
  for (const entry of statements.sort(bySaid)) {
    if (entry.observation.act === "correct") {
      const wrong = wrongBefore(said, entry);
      if (wrong !== undefined) {
        retract(wrong, entry);
        if (entry.observation.valid_from === undefined) entry.from = wrong.from;
      }
    }
    while (said.at(-1)?.isRetracted) said.pop();
    said.push(entry);
  }
}

function wrongBefore(said: Entry[], { observation: { replaces, cardinality } }: Entry): Entry | undefined {
  const candidates = said.slice(-MAX_COMPARED).filter((entry) => !entry.isRetracted && !isRestored(entry));
  if (replaces === undefined) return cardinality === "single" ? candidates.at(-1) : undefined;
  const terms = termsOf(replaces);
  return candidates.findLast((entry) => isSimilarValue(entry.terms, terms));
}
