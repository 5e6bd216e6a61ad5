import { words } from "../retrieval/text.ts";

const CAPITAL = /^\p{Lu}/u;
/** What ends a sentence before a word, so that its capital says nothing. */
const SENTENCE_START = /(?:^|[.!?¿¡…:;"“„(\n])\s*$/u;
const LOOK_BACK = 4;
const MIN_LETTERS = 2;

/** The words of a text that have a capital inside a sentence, folded. */
export function capitalizedIn(text: string): Set<string> {
  const names = new Set<string>();
  for (const { folded, start } of words(text)) {
    const before = text.slice(Math.max(0, start - LOOK_BACK), start);
    const isInside = !SENTENCE_START.test(before);
    if (folded.length >= MIN_LETTERS && CAPITAL.test(text.charAt(start)) && isInside) names.add(folded);
  }
  return names;
}
