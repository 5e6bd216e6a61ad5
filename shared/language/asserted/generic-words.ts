import { setOf } from "../../kernel/strings.ts";
import { allWords } from "../languages/lists.ts";

/** Words that deny what a sentence says, folded. */
export const DENIALS = setOf(allWords(({ assertions }) => assertions?.denials));
/** Words that make a sentence a condition or a wish, folded. */
export const CONDITIONS = setOf(allWords(({ assertions }) => assertions?.conditions));
/** Words that make a clause a wish or a plan, folded. */
export const PLANS = setOf(allWords(({ assertions }) => assertions?.plans));
/** Words that say nothing about what a sentence is about, folded. */
export const GENERIC = setOf(allWords(({ assertions }) => assertions?.generic));
