import { cuesOf, cuesOfPhrase, UNSPACED } from "./cues.ts";
import { isPublic, isResembling } from "./shapes.ts";

/** A word or value of a text, without the punctuation around it. */
export interface Token {
  start: number;
  end: number;
  /** In lower case, its first characters. */
  word: string;
  form: Form;
  /** The kinds of words beside secrets that it is. */
  cues: number;
  /** What is before it, and whether a quote or bracket is. */
  gap: Gap;
  opening: 0 | 1 | 2;
  sentence: number;
  line: number;
}

/** What a token is made of. */
export type Form = (typeof FORM)[keyof typeof FORM];
export const FORM = {
  lower: 0,
  capital: 1,
  upper: 2,
  digits: 3,
  lowerDigits: 4,
  innerCapital: 5,
  hyphened: 6,
  mixed: 7,
  capitalDigits: 8,
  upperDigits: 9,
  email: 11,
  path: 12,
  random: 13,
  unspaced: 14,
  resembling: 15,
  number: 16,
  joined: 17,
  dotted: 18,
  mixedCaseDigits: 19,
  quantity: 20,
  lowerDigitsInside: 21,
  upperDigitsSigns: 22,
  numberSigns: 23,
  signs: 24,
  counted: 25,
  phrase: 30,
  groups: 31,
} as const;

export type Gap = (typeof GAP)[keyof typeof GAP];
export const GAP = { space: 0, comma: 1, colon: 2, dash: 3, slash: 4, stop: 6, line: 7, none: 9, start: 10 } as const;

const MAX_WORD = 40;
/** How many characters of a token its form is read from. */
const MAX_FORM = 200;
/** Characters of a value that has letters of both cases, digits and slashes and is no path. */
const MIN_RANDOM = 24;
/** How often a run is split at the signs that assign values. */
const MAX_SPLITS = 4;

const RUN = /\S+/gu;
const PIECE =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\u30fc\u3005]+|[^\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\u30fc\u3005、。，：；！？「」『』（）〈〉《》【】・]+/gu;
const BEYOND_LATIN = /[^\0-\u2fff]/;
const BEFORE = "\"'`“”„«»‘’()[]{}<>*.,;:!?¿¡–—…|~=-";
const BEHIND = "\"'`“”„«»‘’()[]{}<>*.,;:!?…–—|~-";
/** A mark that may be the end of a value. */
const VALUE_END = /[!?*~-]/;
/** A name and the sign that assigns a value to it; an address and its password; "admin/Kayak42". */
const ASSIGNED =
  /^([\p{L}_][\p{L}\d_.-]{0,40}["']?|[\w.+-]{1,60}@[\w.-]{1,60})([:=：|]|->|=>|→)(?=[^/\s])|^(\p{L}{1,14})([/|])(?=[^/\s]{0,60}[^\p{L}/\s])(?=[^/\s]{4,100}$)/u;
const NEXT_SETTING = /[;&](?=[\p{L}_]{2,30}=)/u;

/** Splits a text into tokens, in time that is linear in its length. */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (!BEYOND_LATIN.test(run)) addTokens(text, index, index + run.length, tokens);
    else
      for (const piece of run.matchAll(PIECE))
        addTokens(text, index + piece.index, index + piece.index + piece[0].length, tokens);
  }
  let [line, sentence, end] = [0, 0, 0];
  for (const [index, token] of tokens.entries()) {
    const between = text.slice(Math.max(end, token.start - 12), token.start);
    token.gap = index === 0 ? GAP.start : gapOf(between);
    token.opening = /["'`“”„«»‘’「『]$/.test(between) ? 1 : /[([（]$/.test(between) ? 2 : 0;
    if (token.gap === GAP.line) line += 1;
    if (token.gap === GAP.line || token.gap === GAP.stop) sentence += 1;
    token.line = line;
    token.sentence = sentence;
    end = token.end;
    token.cues |= phraseCues(tokens, index);
  }
  return tokens;
}

function phraseCues(tokens: readonly Token[], index: number): number {
  const [one, two, three] = [tokens[index - 2]?.word, tokens[index - 1]?.word, tokens[index]?.word];
  if (two === undefined) return 0;
  return cuesOfPhrase(`${two} ${three}`) | (one === undefined ? 0 : cuesOfPhrase(`${one} ${two} ${three}`));
}

function gapOf(between: string): Gap {
  if (between === "") return GAP.none;
  if (between === " ") return GAP.space;
  if (between.includes("\n")) return GAP.line;
  if (/[.!?…。！？]/.test(between)) return GAP.stop;
  if (/[:=→>：]/.test(between)) return GAP.colon;
  if (/[,;、，]/.test(between)) return GAP.comma;
  if (/[–—]|\s-\s/.test(between)) return GAP.dash;
  return /[/|]/.test(between) ? GAP.slash : GAP.space;
}

function addTokens(text: string, from: number, to: number, tokens: Token[], splits = 0): void {
  let [start, end] = [from, to];
  while (start < end && BEFORE.includes(text.charAt(start))) start += 1;
  while (end > start && BEHIND.includes(text.charAt(end - 1))) end -= 1;
  if (end <= start) return;
  if (end < to && VALUE_END.test(text.charAt(end)) && endsValue(text, start, end)) {
    const mark = text.charAt(end);
    while (end < to && text.charAt(end) === mark) end += 1;
  }
  const value = text.slice(start, Math.min(end, start + MAX_FORM));
  if (splits < MAX_SPLITS && !isQuoted(text, from, start, end)) {
    const next = NEXT_SETTING.exec(value)?.index ?? 0;
    if (next > 0) {
      addTokens(text, start, start + next, tokens, splits + 1);
      addTokens(text, start + next + 1, to, tokens, splits + 1);
      return;
    }
    const assigned = ASSIGNED.exec(value);
    if (assigned && assigned[0].length < value.length) {
      const name = assigned[1] ?? assigned[3] ?? "";
      addTokens(text, start, start + name.length, tokens, MAX_SPLITS);
      addTokens(text, start + assigned[0].length, to, tokens, splits + 1);
      return;
    }
  }
  tokens.push(tokenOf(value, start, end));
}

/** Whether a value has a quote before and after it, so that no sign in it assigns anything. */
const isQuoted = (text: string, from: number, start: number, end: number): boolean =>
  start > from && /["'`]/.test(text.charAt(start - 1)) && text.charAt(end) === text.charAt(start - 1);

/** Whether a mark belongs to the value before it: after a digit, or where the sentence goes on. */
function endsValue(text: string, start: number, end: number): boolean {
  const value = text.slice(start, Math.min(end, start + MAX_FORM));
  return /\d/.test(value) || (/^[!?*~-]{0,2}\s\p{Ll}/u.test(text.slice(end + 1, end + 5)) && /[^\p{L}]/u.test(value));
}

/** Parts of names: "smtp_pass", "jwtSecret", "WLAN-Key". */
const PARTS = /['’_.-]|(?<=[a-z])(?=[A-Z])/;

function tokenOf(value: string, start: number, end: number): Token {
  const word = value.slice(0, MAX_WORD).toLowerCase();
  const form = formOf(value);
  let cues = cuesOf(word);
  if (
    form < FORM.digits ||
    form === FORM.innerCapital ||
    form === FORM.hyphened ||
    (form >= FORM.resembling && form <= FORM.dotted)
  ) {
    const parts = value.slice(0, MAX_WORD).split(PARTS);
    if (parts.length > 1) for (const part of parts) if (part.length > 1) cues |= cuesOf(part.toLowerCase());
  }
  return { start, end, word, form, cues, gap: GAP.space, opening: 0, sentence: 0, line: 0 };
}

function formOf(value: string): Form {
  if (/^\p{L}+(?:['’]\p{L}+)*$/u.test(value)) return formOfWord(value);
  if (/^\d+$/.test(value)) return FORM.digits;
  if (isPublic(value)) return FORM.resembling;
  if (/^[\w.+-]+@[\w.+-]+\.\w+$/.test(value)) return FORM.email;
  if (
    value.length >= MIN_RANDOM &&
    /^[\w+/=-]+$/.test(value) &&
    /\d/.test(value) &&
    /[a-z]/.test(value) &&
    /[A-Z]/.test(value) &&
    !/\p{L}{12}|^\//u.test(value)
  )
    return FORM.random;
  if (/^[a-z+]+:\/\/|^www\.|^[~.]?\/|^\w+(?:\/\w+)+|\\/i.test(value)) return FORM.path;
  if (isResembling(value)) return FORM.resembling;
  if (/^\d+[.,]?\d*-\p{Ll}+(?:-\p{Ll}+)*$/u.test(value)) return FORM.counted;
  const hasDigit = /\d/.test(value);
  if (!/\p{L}/u.test(value)) return hasDigit ? FORM.number : FORM.resembling;
  if (value.length >= 16 && hasDigit && !/\p{L}{6}/u.test(value)) return FORM.random;
  if (!hasDigit) {
    if (!/^\p{L}+(?:[-_.'’+&]\p{L}+)+$/u.test(value)) return FORM.signs;
    return /[_+&]/.test(value) ? FORM.joined : value.includes(".") ? FORM.dotted : FORM.hyphened;
  }
  return formWithDigits(value);
}

function formOfWord(value: string): Form {
  if (UNSPACED.test(value)) return FORM.unspaced;
  if (value === value.toLowerCase()) return FORM.lower;
  if (value === value.toUpperCase()) return FORM.upper;
  return /\p{Ll}\p{Lu}/u.test(value) ? FORM.innerCapital : FORM.capital;
}

function formWithDigits(value: string): Form {
  const isUpper = /\p{Lu}/u.test(value);
  const isOnlyUpper = isUpper && !/\p{Ll}/u.test(value);
  if (/[^\p{L}\d]/u.test(value)) {
    if (isOnlyUpper) return FORM.upperDigitsSigns;
    return /^\d/.test(value) && !/\p{L}{3}/u.test(value) ? FORM.numberSigns : FORM.mixed;
  }
  if (isOnlyUpper) return FORM.upperDigits;
  if (isUpper) return /^\p{Lu}\p{Ll}+\d+$/u.test(value) ? FORM.capitalDigits : FORM.mixedCaseDigits;
  if (/^\p{Ll}+\d+$/u.test(value)) return FORM.lowerDigits;
  return /^\d+\p{Ll}{1,4}$/u.test(value) ? FORM.quantity : FORM.lowerDigitsInside;
}

const MADE: ReadonlySet<Form> = new Set([
  FORM.lowerDigits,
  FORM.innerCapital,
  FORM.hyphened,
  FORM.mixed,
  FORM.capitalDigits,
  FORM.random,
  FORM.joined,
  FORM.dotted,
  FORM.mixedCaseDigits,
  FORM.lowerDigitsInside,
  FORM.signs,
]);

/** Whether a token is made up: letters with digits, signs or capitals inside. */
export const isMade = (form: Form): boolean => MADE.has(form);
