import { setOf } from "../../kernel/strings.ts";
import { foldAccents } from "../../kernel/text/fold.ts";
import { allWords, CALENDAR_NAMES } from "../languages/lists.ts";

/** Words that deny or cancel what a sentence says, folded. */
export const DENIALS = setOf(
  foldAccents(allWords(({ cues, assertions }) => `${cues?.negations ?? ""} ${assertions?.denials ?? ""}`)).replaceAll(
    "'",
    "",
  ),
);
/** Words that make a sentence a condition or a wish, folded. */
export const CONDITIONS = setOf(allWords(({ assertions }) => assertions?.conditions));
/** Words that make a clause a wish or a plan, folded. */
export const PLANS = setOf(allWords(({ assertions }) => assertions?.plans));
/** Words that say nothing about what a sentence is about, folded. */
export const GENERIC: ReadonlySet<string> = new Set([
  ...setOf(allWords(({ assertions }) => assertions?.generic)),
  ...CALENDAR_NAMES.map(foldAccents),
]);
