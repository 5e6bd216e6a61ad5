import { setOf } from "../../kernel/strings.ts";
import type { SecretWords } from "../languages/pack.ts";
import { ALL_WORDS, PACKS } from "../languages/packs.ts";

/** The kinds of words beside secrets, whose positions are the bits of what `cuesOf` returns. */
export const CUES = [
  "passwords",
  "pins",
  "codes",
  "keys",
  "access",
  "users",
  "changes",
  "sent",
  "others",
  "devices",
  "backups",
  "answers",
  "hashes",
  "examples",
  "notPasswords",
  "phrases",
] as const satisfies readonly (keyof SecretWords)[];

/** The bits of some kinds. */
export const bitsOf = (...kinds: (typeof CUES)[number][]): number =>
  kinds.reduce((bits, kind) => bits | (1 << CUES.indexOf(kind)), 0);

export const PASSWORDS = bitsOf("passwords");
export const PINS = bitsOf("pins");
export const CODES = bitsOf("codes");
export const KEYS = bitsOf("keys");
export const USERS = bitsOf("users");
export const OTHERS = bitsOf("others");
export const HASHES = bitsOf("hashes");
export const BACKUPS = bitsOf("backups");

const MIN_AFFIX = 2;
const MAX_AFFIX = 14;
/** Words that were looked up are kept up to this number. */
const MAX_KEPT = 10_000;

/** Scripts without spaces between words, whose cues are looked for inside of a run of their letters. */
export const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\u30fc]/u;

/** Words by how they are given in the packs: whole, the beginning or end of a word, or inside of one. */
const [WHOLE, BEGINNINGS, ENDINGS, INSIDE] = [0, 1, 2, 3].map(() => new Map<string, number>()) as [
  Words,
  Words,
  Words,
  Words,
];
type Words = Map<string, number>;

CUES.forEach((kind, index) => {
  for (const pack of ALL_WORDS) {
    for (const written of setOf(pack.secrets?.[kind])) {
      const word = written.replaceAll("*", "").replaceAll("_", " ");
      const lists = UNSPACED.test(word)
        ? [INSIDE]
        : [...(written.endsWith("*") ? [BEGINNINGS] : []), ...(written.startsWith("*") ? [ENDINGS] : [])];
      for (const list of lists.length === 0 ? [WHOLE] : lists) list.set(word, (list.get(word) ?? 0) | (1 << index));
    }
  }
});

const ANY_INSIDE = new RegExp([...INSIDE.keys()].sort((one, other) => other.length - one.length).join("|"), "gu");
const FUNCTION_WORDS = setOf(
  Object.values(PACKS)
    .map(({ functionWords }) => functionWords)
    .join(" "),
);
const wordsOf = (kind: "copulas" | "equals") => setOf(ALL_WORDS.map(({ secrets }) => secrets?.[kind] ?? "").join(" "));
const COPULAS = wordsOf("copulas");
const EQUALS = wordsOf("equals");

export const isFunctionWord = (word: string): boolean => FUNCTION_WORDS.has(word);
/** Whether a word may stand between "password" and its value. */
export const isCopula = (word: string): boolean => COPULAS.has(word);
/** Whether a word says what something is. */
export const isEquals = (word: string): boolean => EQUALS.has(word);

const kept = new Map<string, number>();

/** Returns the kinds of a word in lower case, or of a part of a compound that is written with capitals or signs. */
export function cuesOf(word: string): number {
  const known = kept.get(word);
  if (known !== undefined) return known;
  let bits = WHOLE.get(word) ?? 0;
  for (let length = MIN_AFFIX; length <= Math.min(word.length, MAX_AFFIX); length++) {
    bits |= BEGINNINGS.get(word.slice(0, length)) ?? 0;
    if (length > MIN_AFFIX) bits |= ENDINGS.get(word.slice(-length)) ?? 0;
  }
  if (UNSPACED.test(word)) for (const [inside] of word.matchAll(ANY_INSIDE)) bits |= INSIDE.get(inside) ?? 0;
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(word, bits);
  return bits;
}

/** Returns the kinds of a phrase of two or three words. */
export const cuesOfPhrase = (phrase: string): number => WHOLE.get(phrase) ?? 0;
