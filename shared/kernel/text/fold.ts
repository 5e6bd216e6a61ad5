import { normalized } from "../strings.ts";

/** Maximum characters of a word; longer ones are encoded data and are cut, because their start identifies them. */
export const MAX_WORD_LENGTH = 64;

/** English clitics: Anna's, she'd, we'll. */
const CLITIC = /['’](?:s|d|m|ll|re|ve)$/i;
const APOSTROPHE = /['’]/g;
export const ASCII = /^[\0-\x7f]*$/;
export const NOT_OF_A_WORD = /[^\p{L}\p{Nd}\p{M}\p{Extended_Pictographic}]/gu;
/** Accents of Latin, Greek and Cyrillic letters, Hebrew points, and Arabic vowel signs. */
const ACCENT = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/g;
/** Letters that Unicode does not decompose, with the plain letters that people write instead. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
  ς: "σ",
};
const PLAIN_LETTER = new RegExp(`[${Object.keys(PLAIN_LETTERS).join("")}]`, "g");

/** Returns the word without apostrophes and clitics. */
export function bareWord(word: string): string {
  return word.replace(CLITIC, "").replace(APOSTROPHE, "");
}

/** Returns the word in lower case with accents, normalized, without apostrophes and clitics; it may be empty. */
export function exactForm(word: string): string {
  const bare = bareWord(word);
  const exact = ASCII.test(bare)
    ? bare.toLowerCase()
    : normalized(normalized(bare, "NFKC").toLowerCase().replace(NOT_OF_A_WORD, ""), "NFC");
  return exact.slice(0, MAX_WORD_LENGTH);
}

/** Returns an exact form without accents and special letters. */
export function foldAccents(exact: string): string {
  if (ASCII.test(exact)) return exact;
  const bare = normalized(exact, "NFKD").replace(ACCENT, "");
  return normalized(
    bare.replace(PLAIN_LETTER, (letter) => PLAIN_LETTERS[letter] ?? letter),
    "NFC",
  );
}
