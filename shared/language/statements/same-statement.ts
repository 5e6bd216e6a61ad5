import { normalized, setOf, trimmedEnd } from "../../kernel/strings.ts";
import { termOf, type Word, words } from "../../kernel/text/text.ts";

/** Negations. `words` has removed the apostrophes. */
const NEGATION =
  /^(?:not?|never|nor|neither|none|nobody|nothing|nowhere|without|cannot|hardly|(?:do|does|did|is|are|was|were|has|have|had|wo|ca|could|would|should|must|need)nt)$/;
const CAPITAL_OR_DIGIT = /[\p{Lu}\p{Nd}]/u;

/**
 * Whether a text says nothing beyond a similar one, judged by words: it contains no name and no number that the other
 * lacks, it has as many negations, and the shared terms have the same order. Embeddings hardly distinguish these.
 */
export function isSubsumedBy(text: string, similar: string): boolean {
  const [own, others] = [words(text), words(similar)];
  const known = new Set(others.map(({ folded }) => folded));
  const isNameOrNumber = ({ folded, start, end }: Word) =>
    termOf(folded) !== undefined && CAPITAL_OR_DIGIT.test(text.slice(start, end));
  return (
    own.every((word) => known.has(word.folded) || !isNameOrNumber(word)) &&
    countNegations(own) === countNegations(others) &&
    isInOrder(termsOf(own), termsOf(others))
  );
}

/** Whether a text contains a negation. */
export function denies(text: string): boolean {
  return countNegations(words(text)) > 0;
}

function countNegations(all: Word[]): number {
  return all.filter(({ folded }) => NEGATION.test(folded)).length;
}

/** Returns the distinct terms in the order of their first occurrence. */
function termsOf(all: Word[]): Set<string> {
  return new Set(all.flatMap(({ folded }) => termOf(folded) ?? []));
}

function isInOrder(terms: Set<string>, others: Set<string>): boolean {
  const shared = [...terms].filter((term) => others.has(term));
  return shared.join(" ") === [...others].filter((term) => terms.has(term)).join(" ");
}

/** Whether texts have the same terms in one order, the same names and numbers, and equally many negations. */
export function saysInTheSameTerms(text: string, other: string): boolean {
  const [terms, others] = [termsOf(words(text)), termsOf(words(other))];
  return terms.size > 0 && terms.size === others.size && isSubsumedBy(text, other) && isSubsumedBy(other, text);
}

/** Words that do not change the meaning of a sentence. */
const FILLERS = setOf(`
  a an the really very actually truly definitely certainly honestly basically then oh hey hi hello yeah yes ok okay wow`);
/** An article before one of these is kept, because "The Who" is a name. */
const QUESTION_WORDS: ReadonlySet<string> = setOf("who what which when where why how whom whose");
/** Punctuation around a word. Closing question marks and the marks of -5, $5, C++ and C# are kept. */
const OPENING = /^[("'“‘«¿¡`]+/u;
const CLOSING = /[.,;:!…)"'”’»。，、；：！`]/u;
const QUOTED = /^["'“‘«`]/u;

/**
 * Whether two texts have the same words except for case, punctuation, fillers and "it is … that": any other word may
 * make another fact. Case counts in quoted words and identifiers, such as a password or a name in code.
 */
export function isSameStatement(text: string, other: string): boolean {
  const said = wordsSaid(text);
  return said !== "" && said === wordsSaid(other);
}

/** Returns a text without case, punctuation and fillers, with its subject in front. */
export function wordsSaid(text: string): string {
  const written = normalized(text, "NFKC")
    .split(/\s+/)
    .filter((word) => word !== "");
  const words = written.map((word) => ({
    word: trimmedEnd(word.replace(OPENING, ""), CLOSING),
    isQuoted: QUOTED.test(word),
  }));
  const said = words.flatMap(({ word, isQuoted }, index) => {
    const folded = word.toLowerCase();
    const isNamePart = index > 0 && word !== folded;
    const isArticleOfName = QUESTION_WORDS.has(words[index + 1]?.word.toLowerCase() ?? "");
    if (word === "" || (FILLERS.has(folded) && !isNamePart && !isArticleOfName)) return [];
    return isQuoted || isIdentifier(word) ? word : folded;
  });
  return withoutCleft(said).join(" ");
}

/** "Tulip7", "getUserById", "iPhone": a word with letters and digits, or with a capital after a small letter. */
function isIdentifier(word: string): boolean {
  return (/\p{Nd}/u.test(word) && /\p{L}/u.test(word)) || /\p{Ll}\p{Lu}/u.test(word);
}

const COPULAS: ReadonlySet<string> = new Set(["is", "are", "was", "were"]);
const CLEFT_WORDS: ReadonlySet<string> = new Set(["what", "where", "whom"]);

/** Reorders "Green tea is what Ada prefers" and "it is green tea that Ada prefers" to "Ada prefers green tea". */
function withoutCleft(words: string[]): string[] {
  const copula = words.findIndex((word) => COPULAS.has(word));
  if (copula <= 0) return words;
  if (words[0] === "it" && copula === 1) {
    const that = words.indexOf("that", 3);
    return that === -1 || that > words.length - 3 ? words : [...words.slice(that + 1), ...words.slice(2, that)];
  }
  const isCleft = CLEFT_WORDS.has(words[copula + 1] ?? "") && words.length - copula > 3;
  return isCleft ? [...words.slice(copula + 2), ...words.slice(0, copula)] : words;
}
