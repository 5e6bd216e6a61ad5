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

/** Whether a text denies something. */
export function denies(text: string): boolean {
  return countNegations(words(text)) > 0;
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

/** Whether two texts have the same terms in the same order, name the same and deny as often: they may differ in what joins these. */
export function saysInTheSameTerms(text: string, other: string): boolean {
  const [terms, others] = [termsOf(words(text)), termsOf(words(other))];
  return terms.size > 0 && terms.size === others.size && addsNothing(text, other) && addsNothing(other, text);
}

// ---------------------------------------------------------------- in the same words

/** Words that a sentence says the same without. */
const FILLERS: ReadonlySet<string> = new Set(
  "a an the really very actually truly definitely certainly honestly basically then oh hey hi hello yeah yes ok okay wow".split(
    " ",
  ),
);
/** "The Who" is a name. */
const QUESTION_WORDS: ReadonlySet<string> = new Set("who what which when where why how whom whose".split(" "));
/** Around a word; what asks, and what is part of a sign, an amount or a name (-5, $5, C++, C#), stays. */
const OPENING = /^[("'“‘«¿¡`]+/u;
const CLOSING = /[.,;:!…)"'”’»。，、；：！`]/u;
const QUOTED = /^["'“‘«`]/u;

/**
 * Whether two texts say the same in the same words, but for case, punctuation, fillers and "it is … that". One word else may
 * be another fact, be it a colour, a negation, a tense or a preposition: embeddings hardly see these, and which words matter
 * no list knows. Case counts within what is quoted or holds figures or inner capitals: a password, a name in code.
 */
export function saysTheSame(text: string, other: string): boolean {
  const said = wordsSaid(text);
  return said !== "" && said === wordsSaid(other);
}

/** A text without case, punctuation and fillers, its subject in front. */
export function wordsSaid(text: string): string {
  const written = normalized(text, "NFKC")
    .split(/\s+/)
    .filter((word) => word !== "");
  const words = written.map((word) => ({
    word: trimmedEnd(word.replace(OPENING, ""), CLOSING),
    isQuoted: QUOTED.test(word),
  }));
  const said = words.flatMap(({ word, isQuoted }, place) => {
    const folded = word.toLowerCase();
    const isNamePart = place > 0 && word !== folded;
    const isArticleOfName = QUESTION_WORDS.has(words[place + 1]?.word.toLowerCase() ?? "");
    if (word === "" || (FILLERS.has(folded) && !isNamePart && !isArticleOfName)) return [];
    return isQuoted || isIdentifier(word) ? word : folded;
  });
  return straightened(said).join(" ");
}

/** "Tulip7", "getUserById", "iPhone": a word with a figure beside letters, or capitals behind small letters. */
function isIdentifier(word: string): boolean {
  return (/\p{Nd}/u.test(word) && /\p{L}/u.test(word)) || /\p{Ll}\p{Lu}/u.test(word);
}

const COPULAS: ReadonlySet<string> = new Set(["is", "are", "was", "were"]);
const CLEFT_WORDS: ReadonlySet<string> = new Set(["what", "where", "whom"]);

/** "Green tea is what Ada prefers" and "it is green tea that Ada prefers" in the order of "Ada prefers green tea". */
function straightened(words: string[]): string[] {
  const copula = words.findIndex((word) => COPULAS.has(word));
  if (copula <= 0) return words;
  if (words[0] === "it" && copula === 1) {
    const that = words.indexOf("that", 3);
    return that === -1 || that > words.length - 3 ? words : [...words.slice(that + 1), ...words.slice(2, that)];
  }
  const isCleft = CLEFT_WORDS.has(words[copula + 1] ?? "") && words.length - copula > 3;
  return isCleft ? [...words.slice(copula + 2), ...words.slice(0, copula)] : words;
}
