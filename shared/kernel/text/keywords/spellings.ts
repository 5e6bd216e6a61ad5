import type { Keyword } from "./keywords.ts";

/** Shorter words have too many other words within one edit; longer strings are not words. */
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

/** The first and last letters of alphabets, without accented letters, because words have no accents here. */
const ALPHABETS = ["az", "αω", "ая", "ԱՖ".toLowerCase(), "את", "ءي", "აჰ"].map(([first = "", last = ""]) => {
  const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)];
  return Array.from({ length: to - from + 1 }, (_, place) => String.fromCharCode(from + place));
});
/** A form without the suffix of its kind. */
const BODY = /^\p{L}+/u;

/** Whether typing errors in the word can be corrected: it is in one alphabet, and neither short nor long. */
export function isMendable(word: string): boolean {
  return word.length >= MIN_LENGTH && word.length <= MAX_LENGTH && alphabetOf(word) !== undefined;
}

/** The first keywords that so few documents contain that they may be misspelt; `terms` are in the order of the keywords. */
export function misspelt(
  keywords: Keyword[],
  { documents, terms }: { documents: number; terms: { documents: number }[] },
): Keyword[] {
  const rare = documents * RARE_SHARE;
  const few = keywords.filter(({ mendable }, place) => mendable.length > 0 && (terms[place]?.documents ?? 0) <= rare);
  return documents === 0 ? [] : few.slice(0, MAX_MENDED);
}

/** Whether a form is so short that its first letter is kept and no letter is replaced. */
export function isShort(form: string): boolean {
  return bodyOf(form).length < MIN_LENGTH_OF_ANY;
}

/** All forms within one edit: an additional, missing or wrong letter, or two adjacent letters swapped. */
export function spellingsOf(form: string): string[] {
  const body = bodyOf(form);
  const kind = form.slice(body.length);
  const letters = alphabetOf(body) ?? [];
  const found = new Set<string>();
  const keepsLetters = isShort(form);
  for (let at = keepsLetters ? 1 : 0; at <= body.length; at++) {
    const [before, here, after] = [body.slice(0, at), body.slice(at, at + 1), body.slice(at + 1)];
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
