import { setOf } from "../../kernel/strings.ts";
import { alternatives } from "../languages/lists.ts";
import { PACKS } from "../languages/packs.ts";
import type { FoundSecret } from "./found-secret.ts";
import { USER } from "./logins.ts";
import { isHandmade, isPlainlyPassword, withoutPunctuation } from "./shapes.ts";

/** Secrets that stand near a word for them, wherever the sentence puts them. Every window is bounded. */

/** How far from its word a value may be, and how many characters a token may have. */
const MAX_AFTER = 90;
const MAX_BEFORE = 80;
const LONGEST_TOKEN = 64;

/** Where a sentence ends: what is beyond belongs to the word only if it is plainly a password. */
const SENTENCE_END = /[.!?…]["'”»)]?\s(?!\p{Ll})/u;
const LAST_SENTENCE = /[.!?…]\s(?!\p{Ll})(?:[^.!?…]|[.!?…](?!\s)|[.!?…]\s(?=\p{Ll}))*$/u;
/** A token with what may enclose it; an address, a path or code has signs that a chosen value lacks. */
const TOKEN = /(?<=^|[\s"'`“„«»「『（(])[^\s"'`“”„«»「」『』()（）{}[\]|\\]{6,64}(?=$|[\s"'`“”„«»「」『』)）])/gu;
const ACCESS = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${alternatives(({ secrets }) => secrets?.access)}|${alternatives(({ secrets }) => secrets?.changes)})(?!\\p{L})`,
  "iu",
);

/** A lone group of digits; those of an amount, a date, a time, a phone or an order have a sign or word beside them. */
const LONE_DIGITS = new RegExp(
  String.raw`(?<![\p{L}\p{N}€$£¥#°*+/:_-]|\d[ .,:/-]|(?:nr|no|n°)\.? )(?<value>\d{3}[ -]\d{3}|\d{2} \d{2} \d{2}|\d{4,8})(?![\p{sc=Latin}\p{N}%*_]|[.,:/-]\d| ?(?:[€$£¥°–-]|eur|usd|kr|tl|km|kg|mm|cm|ml|min|${alternatives(({ secrets }) => secrets?.amounts)})| \d)`,
  "giu",
);
/** What may follow the digits: the end of the clause, or a word that no quantity has before it. */
const CLAUSE_END = /^["'”»」)]?(?:$|[.,;!?\n)]|\s[–—-]\s|\s(?<next>\p{L}+)|[^\s\p{sc=Latin}\d])/u;
const FIRST_WORD = /^["']?[\s,]{0,2}(?<word>\p{L}+)/u;
const LAST_WORD = /(?:(?<word>\p{L}+)['’]?s?\s|[^\p{L}\d\s]\s?["'“„«「]?|\p{scx=Han}|\p{scx=Kana}|\p{sc=Hangul}\s?)$/u;
const FUNCTION_WORDS = setOf(
  Object.values(PACKS)
    .map(({ functionWords }) => functionWords)
    .join(" "),
);
/** A name of a user before a value, which is then no password. */
const USER_BEFORE = new RegExp(
  `(?<!\\p{L})(?:${USER}|instagram)\\p{L}{0,4}[\\s:]{1,3}(?:\\p{L}{1,3}\\s)?["'“„«]?$`,
  "iu",
);
/** What a PIN belongs to, and what a message did: "PIN карты 7719", "reçu 550912". */
const OF_PERSON = new RegExp(
  `^(?:${alternatives(({ secrets }) => secrets?.devices)}|${alternatives(({ secrets }) => secrets?.sent)})$`,
  "iu",
);
const YEAR = /^(?:19|20)\d\d$/;

interface Span {
  start: number;
  end: number;
}

/** The words, and the parts of the text around one of them: the sentence that it is in, and what is after that. */
function windowOf(text: string, { start, end }: Span): { before: string; after: string; rest: string } {
  const line = text.slice(end, end + MAX_AFTER).split("\n", 1)[0] ?? "";
  const stop = SENTENCE_END.exec(line)?.index ?? line.length;
  const before = text.slice(Math.max(0, start - MAX_BEFORE), start);
  const from = Math.max(before.lastIndexOf("\n"), before.match(LAST_SENTENCE)?.index ?? -1);
  return { before: before.slice(from + 1), after: line.slice(0, stop + 1), rest: line.slice(stop + 1) };
}

/** The token near a word for a password that somebody made up: in its sentence, or plainly in what follows. */
export function passwordNear(text: string, word: Span): FoundSecret | undefined {
  const { before, after, rest } = windowOf(text, word);
  return (
    tokenIn(text, word.end, word.end + after.length, isHandmade) ??
    tokenIn(text, word.start - before.length, word.start, isHandmade) ??
    tokenIn(text, word.end + after.length, word.end + after.length + rest.length, isPlainlyPassword)
  );
}

/** The token that somebody made up in the clause after a word for a password. */
export function passwordInClause(text: string, word: Span): FoundSecret | undefined {
  const clause = windowOf(text, word).after.split(/[,;]/u, 1)[0] ?? "";
  return tokenIn(text, word.end, word.end + clause.length, isHandmade);
}

function tokenIn(text: string, from: number, to: number, isValue: (value: string) => boolean): FoundSecret | undefined {
  // A token that the window cuts is read to its end.
  const window = text.slice(from, to + LONGEST_TOKEN);
  for (const match of window.matchAll(TOKEN)) {
    if (match.index >= to - from) return undefined;
    const value = chosenIn(match, window);
    if (isValue(value) && !isUserName(text, from + match.index))
      return { type: "password", start: from + match.index, end: from + match.index + value.length };
  }
  return undefined;
}

/** Whether a word for the name of a user is right before a value. */
export function isUserName(text: string, start: number): boolean {
  return USER_BEFORE.test(text.slice(Math.max(0, start - 40), start));
}

/** A mark before a word in lower case ends no sentence, and is part of the value: "with Paletten-Hubert! anmelden". */
function chosenIn({ 0: token, index }: RegExpExecArray, window: string): string {
  const after = window.slice(index + token.length, index + token.length + 2);
  return /[!?]$/.test(token) && !/^\p{L}+[!?]+$/u.test(token) && /^\s\p{Ll}/u.test(after)
    ? token
    : withoutPunctuation(token);
}

/** Yields tokens that are plainly passwords and have a word for signing in or changing something near them. */
export function* passwordsWithoutWord(text: string): Generator<FoundSecret> {
  for (const match of text.matchAll(TOKEN)) {
    const value = chosenIn(match, text);
    if (!isPlainlyPassword(value) || isUserName(text, match.index)) continue;
    const start = match.index;
    const end = start + value.length;
    const { before, after } = windowOf(text, { start, end });
    if (ACCESS.test(`${before} `) || ACCESS.test(` ${after}`)) yield { type: "password", start, end };
  }
}

/** The lone group of digits that is nearest to a word for a PIN or code in its sentence: after it, or else before it. */
export function digitsNear(text: string, word: Span): FoundSecret | undefined {
  const { before, after, rest } = windowOf(text, word);
  // A question and its answer are one: "voicemail pin? i think its 2580".
  const said = /\?["'”»)]?$/u.test(after.trimEnd()) ? after + rest : after;
  return digitsIn(said, word.end, false) ?? digitsIn(before, word.start - before.length, true);
}

function digitsIn(window: string, from: number, isLast: boolean): FoundSecret | undefined {
  const found = [...window.matchAll(LONE_DIGITS)].filter((match) => isCode(match, window, isLast));
  const match = isLast ? found.at(-1) : found[0];
  if (match === undefined) return undefined;
  return { type: "pin", start: from + match.index, end: from + match.index + match[0].length };
}

/** Whether digits are a code: no year, no count of what follows, and not the number of the thing before them. */
function isCode({ 0: digits, index }: RegExpExecArray, window: string, isLast: boolean): boolean {
  const end = CLAUSE_END.exec(window.slice(index + digits.length));
  if (YEAR.test(digits) || !end || (end.groups?.next && !isFunctionWord(end.groups.next))) return false;
  const before = window.slice(0, index);
  const last = LAST_WORD.exec(before);
  if (last?.groups?.word === undefined) return last !== null || before.trim() === "";
  return (
    isFunctionWord(last.groups.word) ||
    OF_PERSON.test(last.groups.word) ||
    (!isLast && isFunctionWord(FIRST_WORD.exec(window)?.groups?.word ?? ""))
  );
}

export const isFunctionWord = (word: string): boolean => FUNCTION_WORDS.has(word.toLowerCase());

/** Whether one of the words is in the sentence of another, or right beside it. */
export function isNear(text: string, word: Span, words: RegExp): boolean {
  const { before, after } = windowOf(text, word);
  return words.test(before) || words.test(after);
}
