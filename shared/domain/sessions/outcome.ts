import { alternatives } from "../../language/languages/lists.ts";
import { type SummarySentence, summarySentencesOf, type Turn } from "./sentences.ts";

/** A conversation settles its matter at its end. */
const LAST_TURNS = 6;
const MAX_SENTENCES = 3;
/** Words of what was agreed, promised or done. */
const SETTLED = new RegExp(
  `(?<!\\p{L})(?:${alternatives(({ conversations }) => conversations?.settled)})(?!\\p{L})`,
  "iu",
);

/** Returns what the last messages agree, promise or report as done, in their words. */
export async function outcomeOf(messages: Turn[]): Promise<string[]> {
  const said = await summarySentencesOf(messages.slice(-LAST_TURNS));
  return said
    .filter(isSettling)
    .slice(-MAX_SENTENCES)
    .map(({ text }) => text);
}

function isSettling({ text, quotation = text, isQuestion }: SummarySentence): boolean {
  return !isQuestion && SETTLED.test(quotation.replaceAll("’", "'"));
}
