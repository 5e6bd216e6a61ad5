import type { Candidate } from "./candidates.ts";
import { bitsOf, CUES, isCopula, isFunctionWord } from "./cues.ts";
import { FORM, type Form, GAP, isMade, type Token } from "./tokens.ts";

/** How many weights the model has: a feature has the one at the place of its hash. */
export const WEIGHTS = 16_384;

/** A text with its tokens. */
export interface Message {
  text: string;
  tokens: readonly Token[];
}

/** What is around a candidate: the kinds of words beside secrets, and how many values are made up. */
export interface Surroundings {
  cues: number;
  made: number;
}

/** Reads the tokens around a candidate, as far as its features do: what a long text says elsewhere is no evidence. */
export function surroundingsOf(tokens: readonly Token[], { first, last }: Candidate): Surroundings {
  let [cues, made] = [0, 0];
  const until = Math.min(tokens.length - 1, last + CUES_AFTER);
  for (let index = Math.max(0, first - CUES_BEFORE); index <= until; index++) {
    const token = tokens[index];
    if (token === undefined) break;
    cues |= token.cues;
    if (isMade(token.form) && token.form !== FORM.hyphened) made += 1;
  }
  return { cues, made };
}

/** How far words before and after a candidate count, and how far their kinds do. */
const WORDS_BEFORE = 7;
const WORDS_AFTER = 6;
const CUES_BEFORE = 30;
const CUES_AFTER = 24;
const BETWEEN_BEFORE = 6;
const BETWEEN_AFTER = 4;
const ALIKE = 8;
const MAX_SENTENCE = 40;
const MAX_SHAPED = 80;

/** Forms that are alike in what is said about them. */
const GROUPS: Partial<Record<Form, number>> = {
  [FORM.capital]: 1,
  [FORM.upper]: 1,
  [FORM.digits]: 2,
  [FORM.groups]: 2,
  [FORM.lowerDigits]: 3,
  [FORM.innerCapital]: 3,
  [FORM.mixed]: 3,
  [FORM.capitalDigits]: 3,
  [FORM.joined]: 3,
  [FORM.mixedCaseDigits]: 3,
  [FORM.lowerDigitsInside]: 3,
  [FORM.hyphened]: 4,
  [FORM.signs]: 4,
  [FORM.upperDigits]: 5,
  [FORM.dotted]: 5,
  [FORM.upperDigitsSigns]: 5,
  [FORM.email]: 6,
  [FORM.path]: 6,
  [FORM.resembling]: 6,
  [FORM.number]: 6,
  [FORM.quantity]: 6,
  [FORM.numberSigns]: 6,
  [FORM.counted]: 6,
  [FORM.random]: 7,
  [FORM.unspaced]: 8,
  [FORM.phrase]: 9,
};

const DIRECT = bitsOf("passwords", "pins", "codes", "keys", "access", "users");
const STRONGEST = bitsOf("passwords", "pins");
const MAIN = bitsOf("passwords", "pins", "codes");
const HASHED = bitsOf("passwords", "pins", "access", "users", "hashes");
const SAID = bitsOf("passwords", "pins", "others", "users");
const NAMED = bitsOf("passwords", "keys", "hashes");
const NUMBERED = bitsOf("passwords", "pins", "codes", "sent", "others");
const SELF_ONLY = bitsOf("notPasswords", "phrases");

/** Writes the features of a candidate, each the place of a weight, and returns how many there are. */
export function featuresOf(
  message: Message,
  candidate: Candidate,
  { cues, made }: Surroundings,
  features: Uint16Array,
): number {
  const { text, tokens } = message;
  const { first, last, start, end, form } = candidate;
  const [token, final] = [tokens[first], tokens[last]];
  if (token === undefined || final === undefined) return 0;
  let count = 0;
  const add = (kind: number, one: number, other = 0) => {
    features[count++] = mixed(mixed(kind, one), other) % WEIGHTS;
  };
  const [before, before2, before3] = [tokens[first - 1], tokens[first - 2], tokens[first - 3]];
  const [after, after2] = [tokens[last + 1], tokens[last + 2]];
  const group = GROUPS[form] ?? 0;
  const value = text.slice(start, Math.min(end, start + MAX_SHAPED));
  const length = lengthOf(end - start);
  const shape = hashOf(shapeOf(value));
  const isSingle = first === last && form !== FORM.groups;
  const gapBefore = token.gap * 3 + token.opening;
  const gapAfter = after === undefined ? 40 : after.gap * 3 + (/["'`”“»』」)）]/.test(text.charAt(end)) ? 1 : 0);

  // The value
  add(1, form);
  add(2, shape);
  add(3, form, length);
  add(4, shape, length);
  if (isSingle && form > FORM.upper) {
    const runs = runsOf(value);
    add(5, hashOf(runs.shape));
    add(6, runs.letters, runs.count * 64 + runs.digits);
    add(7, runs.letters * 8 + runs.digits, cues & HASHED);
    add(8, runs.signs * 64 + runs.letters, runs.digits);
    const hexDigits = /^(?:0x)?[\da-f]+$/.test(value) ? end - start : 0;
    add(70, hexDigits, cues & NAMED);
    add(71, hashOf(value.slice(0, 3)), form);
    add(9, runs.letters * 8 + Math.min(3, runs.signs), group * 64 + (cues & HASHED));
  }
  if (isSingle && form !== FORM.digits) {
    const alike = made > 1 ? alikeOf(message, candidate) : 0;
    add(10, alike, form);
    add(11, alike, shape);
    add(12, hashOf(token.word));
  }
  for (let bits = token.cues; bits; bits &= bits - 1) add(13, lowest(bits), form);
  if (isSingle && form <= FORM.upper) {
    add(14, Number(isFunctionWord(token.word)), form);
    add(15, hashOf(token.word.slice(-3)), form);
  }
  if (form === FORM.digits) {
    const kind = (end - start) * 2 + Number(/^(?:19|20)\d\d$/.test(value));
    const [left, right] = [hashOf(text.charAt(start - 1)), hashOf(text.charAt(end))];
    add(16, kind);
    add(17, left, right);
    add(18, kind, wordOf(before));
    add(19, kind, wordOf(after));
    add(20, kind, cues & NUMBERED);
    add(21, Number(value.startsWith("0")), end - start);
    add(22, kind, right);
    add(23, kind, left);
  }
  if (form === FORM.phrase) {
    let [functional, cued] = [0, 0];
    for (let index = first; index <= last; index++) {
      if (isFunctionWord(tokens[index]?.word ?? "")) functional += 1;
      if (tokens[index]?.cues) cued += 1;
    }
    const words = Math.min(last - first + 1, 6);
    add(24, Math.min(last - first + 1, 10));
    add(25, words, functional);
    add(26, cued, words);
    add(27, wordOf(token));
    add(28, wordOf(final));
    add(29, functional, gapBefore * 64 + gapAfter);
    add(30, Number(isFunctionWord(token.word)), Number(isFunctionWord(final.word)));
    add(31, words, gapBefore * 64 + gapAfter);
  }

  // Where it stands
  add(32, form, gapBefore);
  add(33, form, gapAfter);
  add(34, group, gapBefore * 64 + gapAfter);
  const isFirst = first === 0 || token.gap === GAP.line;
  const isLast = after === undefined || after.gap === GAP.line;
  add(35, Number(isFirst) + 2 * Number(isLast), form);
  if (isFirst && before)
    add(36, before.form, (first < 2 || before.gap === GAP.line ? 64 : 0) + (isLast ? 32 : 0) + group);
  add(37, Math.min(6, tokens.length >> 3), form);
  add(38, Math.min(4, made), form);
  add(39, endOfSentence(message, last), group);

  // The words around it
  add(40, wordOf(before), group);
  add(41, wordOf(before), form * 64 + gapBefore);
  add(42, wordOf(before), gapBefore);
  add(43, wordOf(before2), group);
  add(44, wordOf(before3), group);
  add(45, wordOf(after), group);
  add(46, wordOf(after2), group);
  for (let index = first - 1; index >= Math.max(0, first - WORDS_BEFORE); index--) {
    if (tokens[index]?.sentence === token.sentence) add(47, wordOf(tokens[index]), group);
  }
  for (let index = last + 1; index <= Math.min(tokens.length - 1, last + WORDS_AFTER); index++) {
    if (tokens[index]?.sentence === final.sentence) add(48, wordOf(tokens[index]), group);
  }
  if (before) {
    add(49, before.form, form);
    add(50, before.form, gapBefore * 16 + group);
    if (before2) add(51, before.form * 32 + before2.form, group);
  }
  if (after) add(52, after.form, form);

  // The kinds of words around it
  let seen = SELF_ONLY;
  for (let index = first - 1; index >= Math.max(0, first - CUES_BEFORE); index--) {
    const near = tokens[index];
    if (near === undefined) break;
    const nearness = nearnessOf(first - index, near, token);
    for (let bits = near.cues & ~seen; bits; bits &= bits - 1) {
      const kind = lowest(bits);
      add(53, kind * 64 + nearness, group);
      add(54, kind * 64 + nearness, form);
      add(55, kind * 64 + nearness, gapBefore);
      if (nearness % 3) add(56, kind, group);
    }
    seen |= near.cues;
  }
  seen = SELF_ONLY;
  for (let index = last + 1; index <= Math.min(tokens.length - 1, last + CUES_AFTER); index++) {
    const near = tokens[index];
    if (near === undefined) break;
    const nearness = nearnessOf(index - last, near, final);
    for (let bits = near.cues & ~seen; bits; bits &= bits - 1) {
      const kind = lowest(bits);
      add(57, kind * 64 + nearness, group);
      add(58, kind * 64 + nearness, form);
      if (nearness % 3) add(59, kind, group);
    }
    seen |= near.cues;
  }
  if (before && isCopula(before.word)) {
    const said = saidBefore(tokens, first);
    add(72, said, form);
    add(73, said, shape);
  }
  // What connects it with the nearest of them: "is", "is still the", "of the"
  for (let index = first - 1, between = 0; index >= Math.max(0, first - BETWEEN_BEFORE); index--) {
    const near = tokens[index];
    if (near === undefined || (near.sentence !== token.sentence && near.gap === GAP.line)) break;
    for (let bits = near.cues & DIRECT; bits; bits &= bits - 1) {
      const kind = between * 8 + lowest(bits);
      add(60, kind, group);
      add(61, kind, group * 64 + (tokens[index + 1]?.gap ?? 0));
      add(62, kind, form * 64 + gapAfter);
    }
    if (near.cues & DIRECT) add(63, between, shape);
    if (near.cues & STRONGEST) break;
    between = between * 5 + roleOf(near);
  }
  for (let index = last + 1, between = 0; index <= Math.min(tokens.length - 1, last + BETWEEN_AFTER); index++) {
    const near = tokens[index];
    if (near === undefined || near.sentence !== final.sentence) break;
    for (let bits = near.cues & DIRECT; bits; bits &= bits - 1) {
      add(64, between * 8 + lowest(bits), group);
      add(65, between * 8 + lowest(bits), form);
    }
    if (near.cues & DIRECT) break;
    between = between * 5 + roleOf(near);
  }
  add(66, cues & MAIN, form);
  add(67, cues & (MAIN | bitsOf("access")), group);
  add(68, cues & bitsOf("others"), form);
  for (let bits = cues & ~SELF_ONLY; bits; bits &= bits - 1) add(69, lowest(bits), group);
  return count;
}

/** More than a candidate has: each kind of cue counts once on each side. */
export const MAX_FEATURES = 96 + WORDS_BEFORE + WORDS_AFTER + CUES.length * 10 + (BETWEEN_BEFORE + BETWEEN_AFTER) * 16;

const lowest = (bits: number): number => 31 - Math.clz32(bits & -bits);

function mixed(one: number, other: number): number {
  let hash = Math.imul(one ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(other + 0x7f4a7c15, 0xc2b2ae35);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** The hash of a word; of digits, only how many they are. */
function wordOf(token: Token | undefined): number {
  if (token === undefined) return 1;
  return hashOf(token.form === FORM.digits ? "0".repeat(Math.min(token.word.length, 9)) : token.word);
}

function lengthOf(length: number): number {
  if (length < 12) return length;
  return length < 16 ? 12 : length < 24 ? 13 : length < 48 ? 14 : 15;
}

/** How far a word is, and whether it is in the same sentence (1), on the same line (2) or neither (0). */
function nearnessOf(distance: number, near: Token, token: Token): number {
  const far = distance <= 1 ? 1 : distance <= 3 ? 2 : distance <= 6 ? 3 : distance <= 12 ? 4 : distance <= 25 ? 5 : 6;
  return far * 3 + (near.sentence === token.sentence ? 1 : near.line === token.line ? 2 : 0);
}

/** What a word does between a cue and a value. */
function roleOf({ word, cues }: Token): number {
  if (isCopula(word)) return 1;
  if (isFunctionWord(word)) return 2;
  return cues & ~SELF_ONLY ? 3 : 4;
}

/** The kinds of characters of a value, each run once: "Aa0!" of "Biscuit1998!". */
function shapeOf(value: string): string {
  let [shape, last] = ["", ""];
  for (let index = 0; index < value.length && shape.length < 9; index++) {
    const kind = kindOf(value.charAt(index));
    if (kind !== last) shape += kind;
    last = kind;
  }
  return shape;
}

function kindOf(char: string): string {
  if (char >= "a" && char <= "z") return "a";
  if (char >= "A" && char <= "Z") return "A";
  if (char >= "0" && char <= "9") return "0";
  if ("-_.!@#&/ ".includes(char)) return char;
  return /\p{Ll}/u.test(char) ? "a" : /\p{Lu}/u.test(char) ? "A" : /\p{L}/u.test(char) ? "c" : "$";
}

/** The runs of letters, digits and signs of a value, and the longest of letters. */
function runsOf(value: string) {
  let [shape, last, run, count, letters, digits, signs] = ["", "", 0, 0, 0, 0, 0];
  for (let index = 0; index <= value.length; index++) {
    const char = value.charAt(index);
    const kind = char === "" ? "" : char >= "0" && char <= "9" ? "0" : /\p{L}/u.test(char) ? "a" : "-";
    if (kind === "0") digits += 1;
    if (kind === "-") signs += 1;
    if (kind === last) {
      run += 1;
      continue;
    }
    if (last === "a") letters = Math.max(letters, run);
    if (last !== "") {
      count += 1;
      if (shape.length < 16) shape += last + (run > 5 ? 6 : run > 2 ? 3 : run);
    }
    [last, run] = [kind, 1];
  }
  return {
    shape,
    count: Math.min(count, 7),
    letters: Math.min(letters, 7),
    digits: Math.min(digits, 7),
    signs: Math.min(signs, 4),
  };
}

/** The kinds of words for secrets in its sentence before a candidate: "the password of the old printer in the hall is …". */
function saidBefore(tokens: readonly Token[], first: number): number {
  let said = 0;
  for (let index = first - 1; index >= Math.max(0, first - CUES_BEFORE); index--) {
    if (tokens[index]?.sentence !== tokens[first]?.sentence) break;
    said |= (tokens[index]?.cues ?? 0) & SAID;
  }
  return said;
}

/** How many tokens near a candidate have its shape: lists of codes. */
function alikeOf({ text, tokens }: Message, { first, last, form, start, end }: Candidate): number {
  const shape = shapeOf(text.slice(start, Math.min(end, start + MAX_SHAPED)));
  let alike = 0;
  for (let distance = 1; distance <= ALIKE; distance++) {
    for (const token of [tokens[first - distance], tokens[last + distance]]) {
      if (token?.form !== form) continue;
      if (shapeOf(text.slice(token.start, Math.min(token.end, token.start + MAX_SHAPED))) === shape) alike += 1;
    }
  }
  return Math.min(4, alike);
}

/** 1 if a question mark ends the sentence, 2 if a full stop does. */
function endOfSentence({ text, tokens }: Message, last: number): number {
  const sentence = tokens[last]?.sentence;
  let index = last;
  while (tokens[index + 1]?.sentence === sentence && index - last < MAX_SENTENCE) index += 1;
  const mark = text.charAt(tokens[index]?.end ?? 0);
  return mark === "?" || mark === "？" ? 1 : mark === "." ? 2 : 0;
}
