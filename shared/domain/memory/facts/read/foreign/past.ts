import { type Validity, validityOf } from "../validity.ts";
import type { Lexicon } from "./lexicon.ts";
import type { ForeignClause, ForeignToken } from "./tokens.ts";

/** A clause with more words has a verb. A shorter clause may only add something: "elf Gläser Marmelade". */
const MAX_WORDS_WITHOUT_VERB = 4;

/** Returns when each clause with a verb happened; undefined for a clause about the present. */
export function timesOf(
  clauses: ForeignClause[],
  lexicon: Lexicon,
  dates: Parameters<typeof validityOf>[1],
): (Validity | undefined)[] {
  return clauses.flatMap(({ tokens }) => {
    if (isPast(tokens, lexicon)) return [validityOf(tokens, dates, lexicon.leads)];
    return tokens.length > MAX_WORDS_WITHOUT_VERB ? [undefined] : [];
  });
}

/** "Ich habe den Einsatz verpasst", "il a fini", "fue ayer" */
function isPast(tokens: ForeignToken[], { past }: Lexicon): boolean {
  if (tokens.some(({ normal }) => past.lasting.has(normal))) return false;
  if (tokens.some(({ normal }) => past.forms.has(normal))) return true;
  const helper = tokens.findIndex(({ normal }) => past.have.has(normal));
  if (helper === -1) return false;
  const behind = tokens.slice(helper + 1, helper + 1 + past.distance);
  return behind.some(({ normal, isName }) => !isName && past.participle.test(normal));
}
