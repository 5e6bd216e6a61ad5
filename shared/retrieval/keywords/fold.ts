import { normalized } from "../../kernel/normalized.ts";

/** Longest word kept whole, in characters: a longer one is an encoded blob, and its start tells it apart well enough. */
export const MAX_WORD_LENGTH = 64;

/** What English hangs on a word: Anna's, she'd, we'll. */
const CLITIC = /['’](?:s|d|m|ll|re|ve)$/i;
const APOSTROPHE = /['’]/g;
const ASCII = /^[\0-\x7f]*$/;
const NOT_OF_A_WORD = /[^\p{L}\p{Nd}\p{M}\p{Extended_Pictographic}]/gu;
/** Accents of Latin, Greek and Cyrillic, points of Hebrew, vowels of Arabic. */
const ACCENT = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0670]/g;
/** Letters that Unicode does not take apart, as people write them without them. */
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

/** A word in lower case with its accents, in one form of Unicode, without apostrophes; empty where nothing of it is left. */
export function exactForm(word: string): string {
  const bare = word.replace(CLITIC, "").replace(APOSTROPHE, "");
  const exact = ASCII.test(bare)
    ? bare.toLowerCase()
    : normalized(normalized(bare, "NFKC").toLowerCase().replace(NOT_OF_A_WORD, ""), "NFC");
  return exact.length > MAX_WORD_LENGTH ? exact.slice(0, MAX_WORD_LENGTH) : exact;
}

/** An exact form without accents and special letters. */
export function foldAccents(exact: string): string {
  if (ASCII.test(exact)) return exact;
  const bare = normalized(exact, "NFKD").replace(ACCENT, "");
  return normalized(
    bare.replace(PLAIN_LETTER, (letter) => PLAIN_LETTERS[letter] ?? letter),
    "NFC",
  );
}
