import type { Keyword } from "./keywords.ts";

/** Shorter words have too many others within one edit; longer ones are no words. */
const MIN_LENGTH = 4;
const MAX_LENGTH = 24;
/** Shorter words begin right, and have no wrong letter: live is not life. */
const MIN_LENGTH_OF_ANY = 5;
/** Keywords of a query that are mended, and spellings that are taken for each form of one. */
const MAX_MENDED = 3;
export const MAX_SPELLINGS = 16;
/** A keyword is mended where at most one in so many documents has it. */
const RARE_SHARE = 1 / 10_000;
/** What another spelling counts for beside the word itself. */
export const SPELLING_WEIGHT = 0.6;

/** First and last letter of alphabets, in which words come without accents. */
const ALPHABETS = ["az", "αω", "ая", "ԱՖ".toLowerCase(), "את", "ءي", "აჰ"].map(([first = "", last = ""]) => {
  const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)];
  return Array.from({ length: to - from + 1 }, (_, place) => String.fromCharCode(from + place));
});
/** A form without the marks of its kind. */
const BODY = /^\p{L}+/u;

/** Whether a typing error may be told in a word: one alphabet, and neither short nor long. */
export function isMendable(word: string): boolean {
  return word.length >= MIN_LENGTH && word.length <= MAX_LENGTH && alphabetOf(word) !== undefined;
}

/** The keywords that so few documents have that they may be misspelt: `documents` of so many, in their order. */
export function misspelt(
  keywords: Keyword[],
  { documents, terms }: { documents: number; terms: { documents: number }[] },
): Keyword[] {
  const rare = documents * RARE_SHARE;
  const few = keywords.filter(({ mendable }, place) => mendable.length > 0 && (terms[place]?.documents ?? 0) <= rare);
  return documents === 0 ? [] : few.slice(0, MAX_MENDED);
}

/** Whether a form is taken to begin right and to have no wrong letter. */
export function isShort(form: string): boolean {
  return bodyOf(form).length < MIN_LENGTH_OF_ANY;
}

/** All forms within one edit of one: a letter too many, too few, wrong, or in the place of the next. */
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
