import { termOf, type Word, words } from "../retrieval/text.ts";

/** Says the opposite. `words` has taken the apostrophe out. */
const NEGATION =
  /^(?:not?|never|nor|neither|none|nobody|nothing|nowhere|without|cannot|hardly|(?:do|does|did|is|are|was|were|has|have|had|wo|ca|could|would|should|must|need)nt)$/;
const TELLING = /[\p{Lu}\p{Nd}]/u;

/**
 * Whether a text says nothing that a similar one does not say too, as far as words tell: it names nobody and no number
 * that the other does not, denies as often, and has what both speak of in the same order. Embeddings hardly see these.
 */
export function addsNothing(text: string, similar: string): boolean {
  const [own, others] = [words(text), words(similar)];
  const known = new Set(others.map(({ folded }) => folded));
  const isTelling = ({ folded, start, end }: Word) =>
    termOf(folded) !== undefined && TELLING.test(text.slice(start, end));
  return (
    own.every((word) => known.has(word.folded) || !isTelling(word)) &&
    countNegations(own) === countNegations(others) &&
    isInOrder(termsOf(own), termsOf(others))
  );
}

function countNegations(all: Word[]): number {
  return all.filter(({ folded }) => NEGATION.test(folded)).length;
}

/** Each once, where it first occurs. */
function termsOf(all: Word[]): Set<string> {
  return new Set(all.flatMap(({ folded }) => termOf(folded) ?? []));
}

function isInOrder(terms: Set<string>, others: Set<string>): boolean {
  const shared = [...terms].filter((term) => others.has(term));
  return shared.join(" ") === [...others].filter((term) => terms.has(term)).join(" ");
}
