import { memoizedByText } from "../../../kernel/memoized.ts";
import { type Word, words } from "../../../kernel/text/text.ts";
import type { Query } from "../../../language/questions/query.ts";

/** A capital letter, but not the English pronoun in "I'm". */
const CAPITAL = /^(?!I['’])\p{Lu}/u;
/** Matches text before the first word of a sentence, where a capital letter carries no information. */
const SENTENCE_START = /(?:^|[.!?¿¡…:;"“„(\n])\s*$/u;
const LOOK_BACK = 4;
const MIN_LETTERS = 2;

/** Characters of the texts whose names are cached. */
const MAX_CACHED_TEXT = 2_000_000;

/** Returns the words of a text that are capitalized within a sentence, folded. */
export const capitalizedIn: (text: string) => ReadonlySet<string> = memoizedByText(
  (text) => findCapitalized(text),
  MAX_CACHED_TEXT,
);

/** The same for a query. */
export function capitalizedOf(query: Query): ReadonlySet<string> {
  return query.once(readCapitalized);
}

const readCapitalized = ({ text, words }: Query) => findCapitalized(text, words);

function findCapitalized(text: string, read: readonly Word[] = words(text)): Set<string> {
  const names = new Set<string>();
  for (const { folded, start, end } of read) {
    const before = text.slice(Math.max(0, start - LOOK_BACK), start);
    const isInside = !SENTENCE_START.test(before);
    if (folded.length >= MIN_LETTERS && CAPITAL.test(text.slice(start, end)) && isInside) names.add(folded);
  }
  return names;
}
