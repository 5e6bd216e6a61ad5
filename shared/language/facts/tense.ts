import { setOf } from "../../kernel/strings.ts";
import type { Predicate } from "./phrases.ts";
import type { VerbGroup } from "./verb-group.ts";
import type { Word } from "./words.ts";

/** Verbs that finish what they describe, so that their perfect is about the past: "I've read it". */
const COMPLETED =
  setOf(`finish complete do pass fail read watch see visit meet try eat write send pay play hear speak talk call ask check test
   attend win rerun repeat hold`);
/** Words that count experiences: "I've had it twice". */
const COUNTS = setOf("once twice times already before just");
const SPANS = setOf("for since");
const UNITS = setOf("day days week weeks month months year years hour hours ages while long time life");
/** Verbs whose result holds after them, although they are in the past: "they moved me to Ward 12". */
const RESULTS =
  setOf(`move switch change become get start begin join quit retire promote buy sell rename replace transfer upgrade migrate decide
   agree confirm appoint marry divorce adopt name sublet rent stop raise up drop bump increase reduce swap leave`);

/** Whether an action is over at the time of the statement: the past, or a perfect of experience ("I've had dengue"). */
export function isPastAction(
  { tense, isPerfect, isProgressive, isNegated, lemma }: VerbGroup,
  { words, phrases }: Predicate,
): boolean {
  if (!isPerfect) return tense === "past";
  if (isProgressive || isNegated || tense !== "present" || phrases.some((phrase) => isSpan(words, phrase)))
    return false;
  const isVisit = lemma === "be" && words[0]?.normal === "to";
  return isVisit || lemma === "have" || COMPLETED.has(lemma) || words.some(({ normal }) => COUNTS.has(normal));
}

/** Whether a phrase states how long something has lasted: "for three years", "since May". */
function isSpan(words: Word[], { preposition, start, end }: Predicate["phrases"][number]): boolean {
  if (!SPANS.has(preposition)) return false;
  return preposition === "since" || words.slice(start, end).some(({ normal }) => UNITS.has(normal));
}

/** Whether a past action changes something for good, so that its statement still says what holds. */
export function leavesResult({ lemma }: VerbGroup): boolean {
  return RESULTS.has(lemma.split(" ")[0] ?? "");
}
