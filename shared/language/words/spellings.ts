import type { Keyword } from "./keywords.ts";

/**
 * Lengths of words that are corrected: shorter ones have too many other words within one edit, longer ones are none.
 */
const MIN_LENGTH = 4;
const MAX_LENGTH = 24;
/** In shorter words, the first letter is kept and no letter is replaced: live is not a misspelling of life. */
const MIN_LENGTH_OF_ANY = 5;
/** Maximum number of corrected keywords per query, and of spellings that one lookup adds. */
const MAX_MENDED = 3;
export const MAX_SPELLINGS = 16;
/** Maximum share of documents that contain a keyword that is corrected. */
const RARE_SHARE = 1 / 10_000;
/** The weight of a corrected spelling; the word itself has weight 1. */
export const SPELLING_WEIGHT = 0.6;

/** Alphabets by their first and last letters, without accented letters, because words have no accents here. */
const ALPHABETS = ["az", "αω", "ая", "ԱՖ".toLowerCase(), "את", "ءي", "აჰ"].map(([first = "", last = ""]) => {
  const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)];
  return Array.from({ length: to - from + 1 }, (_, index) => String.fromCharCode(from + index));
});
/** A form without the suffix of its kind. */
const BODY = /^\p{L}+/u;

/** Whether typing errors in the word can be corrected: it is in one alphabet, and neither short nor long. */
export function isFuzzy(word: string): boolean {
  return word.length >= MIN_LENGTH && word.length <= MAX_LENGTH && alphabetOf(word) !== undefined;
}

/** Returns the first keywords that may be misspelt, because few documents contain them; `terms` has the same order. */
export function misspelt(
  keywords: readonly Keyword[],
  { documents, terms }: { documents: number; terms: { documents: number }[] },
): Keyword[] {
  const rare = documents * RARE_SHARE;
  const few = keywords.filter(
    ({ fuzzyForms }, index) => fuzzyForms.length > 0 && (terms[index]?.documents ?? 0) <= rare,
  );
  return documents === 0 ? [] : few.slice(0, MAX_MENDED);
}

/** Whether a form is so short that its first letter is kept and no letter is replaced. */
export function isShort(form: string): boolean {
  return bodyOf(form).length < MIN_LENGTH_OF_ANY;
}

/** Returns all forms within one edit: an additional, missing or wrong letter, or two adjacent letters swapped. */
export function spellingsOf(form: string): string[] {
  const body = bodyOf(form);
  const kind = form.slice(body.length);
  const letters = alphabetOf(body) ?? [];
  const found = new Set<string>();
  const keepsLetters = isShort(form);
  for (let index = keepsLetters ? 1 : 0; index <= body.length; index++) {
    const [before, here, after] = [body.slice(0, index), body.slice(index, index + 1), body.slice(index + 1)];
    for (const letter of letters) {
      found.add(`${before}${letter}${here}${after}${kind}`);
      if (here !== "" && !keepsLetters) found.add(`${before}${letter}${after}${kind}`);
    }
    if (here !== "") found.add(`${before}${after}${kind}`);
    if (after !== "") found.add(`${before}${after.slice(0, 1)}${here}${after.slice(1)}${kind}`);
  }
  found.delete(form);
  return [...found];
}

function bodyOf(form: string): string {
  return BODY.exec(form)?.[0] ?? "";
}

function alphabetOf(word: string): string[] | undefined {
  return ALPHABETS.find((letters) => [...word].every((letter) => letters.includes(letter)));
}
