import { normalized } from "../kernel/normalized.ts";
import { trimmedEnd } from "../kernel/trimmed.ts";
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

// ---------------------------------------------------------------- in the same words

/** Words that a sentence says the same without. */
const FILLERS: ReadonlySet<string> = new Set(
  "a an the really very actually truly definitely certainly honestly basically then oh hey hi hello yeah yes ok okay wow".split(
    " ",
  ),
);
/** Around a word; what asks, and what is part of a sign, an amount or a name (-5, $5, C++, C#), stays. */
const OPENING = /^[("'“‘«¿¡]+/u;
const CLOSING = /[.,;:!…)"'”’»。，、；：！]/u;

/**
 * Whether two texts say the same in the same words, but for case, punctuation and fillers. One word else may be another
 * fact, be it a colour, a negation, a tense or a preposition: embeddings hardly see these, and which words matter no list knows.
 */
export function saysTheSame(text: string, other: string): boolean {
  const said = wordsSaid(text);
  return said !== "" && said === wordsSaid(other);
}

/** A text without case, punctuation and fillers. */
export function wordsSaid(text: string): string {
  const words = normalized(text, "NFKC").toLowerCase().split(/\s+/);
  return words
    .map((word) => trimmedEnd(word.replace(OPENING, ""), CLOSING))
    .filter((word) => word !== "" && !FILLERS.has(word))
    .join(" ");
}
