import { CODE_WORD } from "../languages/code-words.ts";
import { type Candidate, STRONG } from "./candidates.ts";
import {
  BACKUPS,
  bitsOf,
  CODES,
  HASHES,
  isCopula,
  isEquals,
  isFunctionWord,
  KEYS,
  OTHERS,
  PASSWORDS,
  PINS,
  USERS,
} from "./cues.ts";
import type { Message } from "./features.ts";
import { FORM, type Form, GAP, isMade, type Token } from "./tokens.ts";

/** What is a secret without a model: values that a sentence calls a password, and those that look like nothing else. */

const ADMINS: ReadonlySet<string> = new Set(["admin", "root"]);
/** How many tokens before a value the word that names it may be: of made up values, plain words, numbers and user names. */
export const NAMED_BEFORE = 12;
const WORD_BEFORE = 5;
const PIN_BEFORE = 9;
const USER_BEFORE = 4;
const MIN_WORD = 4;
const MIN_PHRASE = 3;
const MIN_PIN = 4;
const MAX_PIN = 8;
export const MIN_KEY = 16;
/** How many backup codes follow one another, and how many words before them are their heading. */
const MAX_CODES = 24;
const HEADING = 6;
const UUID = /^[\da-f]{8}-[\da-f]{4}-/;
const YEAR = /^(?:19|20)\d\d$/;
const NO_SECRETS = USERS | HASHES | OTHERS;
const PHRASES = bitsOf("phrases");
const OTHER_THAN_PASSWORDS = USERS | HASHES | bitsOf("examples");
const NOT_PASSWORDS = bitsOf("notPasswords");
/** Forms that ordinary words have too: "case-sensitive", "LastPass". */
const WORDS: ReadonlySet<Form> = new Set([
  FORM.lower,
  FORM.capital,
  FORM.hyphened,
  FORM.innerCapital,
  FORM.dotted,
  FORM.joined,
]);
/** Forms of backup codes, besides those that are made up. */
const CODE_FORMS: ReadonlySet<Form> = new Set([
  FORM.number,
  FORM.numberSigns,
  FORM.upperDigits,
  FORM.upperDigitsSigns,
  FORM.groups,
]);
const MIN_CODE = 6;
const MAX_CODE = 8;

/** Whether a sentence says "password" or the like before a candidate, and "is" or a colon between them. */
export function isSaid(message: Message, candidate: Candidate): boolean {
  if (isBackupCode(message, candidate)) return true;
  if (candidate.form === FORM.digits) return isSaidNumber(message, candidate);
  if (candidate.form === FORM.phrase) return isSaidPhrase(message, candidate);
  if (WORDS.has(candidate.form)) return isSaidWord(message, candidate);
  return isMade(candidate.form) && (isSaidValue(message, candidate) || isSaidKey(message, candidate));
}

function isSaidValue({ text, tokens }: Message, { first, end }: Candidate): boolean {
  const [token, before] = [tokens[first], tokens[first - 1]];
  if (token === undefined || before === undefined || text.charAt(end) === "(") return false;
  let isAssigned = token.gap === GAP.colon || isEquals(before.word);
  if (!isAssigned && !isCopula(before.word)) return false;
  // "admin:Kayak-42"
  if (token.start - before.end === 1 && ADMINS.has(before.word)) return true;
  for (const [near, index] of backFrom(tokens, first - 1, { first, most: NAMED_BEFORE })) {
    if (near.cues & OTHER_THAN_PASSWORDS) return false;
    // "it was Kayak42, then Kayak43, and Kayak44"
    if (near.form === token.form && near.word.slice(0, MIN_WORD) === token.word.slice(0, MIN_WORD)) isAssigned = true;
    // A "pass" may be another thing.
    if (near.cues & PASSWORDS)
      return isAssigned && near.word !== "pass" && ((tokens[index - 1]?.cues ?? 0) & OTHERS) === 0;
  }
  return false;
}

/** "PIN: 4711", "my PIN is 4711", and at the end of a clause "the passcode of the profile is 4711" */
function isSaidNumber({ text, tokens }: Message, { first, last, start, end }: Candidate): boolean {
  const token = tokens[first];
  if (token === undefined || end - start < MIN_PIN || end - start > MAX_PIN) return false;
  const subject = subjectOf(tokens, first);
  for (const [near, index] of backFrom(tokens, subject, { first, most: PIN_BEFORE })) {
    const isPin = near.cues & (index === subject ? PINS : PINS | PASSWORDS);
    if (isPin && ((tokens[index - 1]?.cues ?? 0) & OTHERS) === 0)
      return index === subject || (endsClause(text, tokens, last) && !YEAR.test(token.word));
    if (isPin || near.cues & NO_SECRETS || near.gap === GAP.comma) return false;
  }
  return false;
}

/** "the aws ones: key id is …, secret is hT5vN8qLpZ3xWk7R" */
function isSaidKey({ tokens }: Message, { first, form, start, end }: Candidate): boolean {
  const token = tokens[first];
  if (token === undefined || form !== FORM.random || end - start < MIN_KEY || UUID.test(token.word)) return false;
  for (const [near] of backFrom(tokens, subjectOf(tokens, first), { first, most: NAMED_BEFORE })) {
    if (near.cues & NO_SECRETS) return false;
    if (near.cues & KEYS) return true;
  }
  return false;
}

/** Yields the tokens from an index backwards, in the sentence of a value (`first`) and at most so many before it. */
function* backFrom(
  tokens: readonly Token[],
  from: number,
  { first, most }: { first: number; most: number },
): Generator<[token: Token, index: number]> {
  for (let index = from; index >= Math.max(0, first - most); index--) {
    const near = tokens[index];
    if (near === undefined || near.sentence !== tokens[first]?.sentence) return;
    yield [near, index];
  }
}

/** The last token of what a colon or "is" before a value says it about; -1 without them. */
function subjectOf(tokens: readonly Token[], first: number): number {
  const [token, before] = [tokens[first], tokens[first - 1]];
  if (token?.gap === GAP.colon) return first - 1;
  return token?.gap === GAP.space && before?.gap === GAP.space && isEquals(before.word) ? first - 2 : -1;
}

/** "Backup codes of the mail: mz4t vq81 8krs", "backup codes? 4821-9037", and the lines after such a heading. */
function isBackupCode({ text, tokens }: Message, { first, form, start, end }: Candidate): boolean {
  const hasDigit = (index: number) => /\d/.test(tokens[index]?.word ?? "");
  const isNumber = form === FORM.digits && end - start >= MIN_CODE && end - start <= MAX_CODE;
  if (!hasDigit(first) || end - start < MIN_WORD) return false;
  if (!isNumber && !CODE_FORMS.has(form) && !isMade(form)) return false;
  let index = first;
  for (let passed = 0; passed < MAX_CODES && tokens[index]?.gap !== GAP.colon && hasDigit(index - 1); passed++)
    index -= 1;
  const { gap } = tokens[index] ?? {};
  const isAsked = gap === GAP.stop && text.charAt(tokens[index - 1]?.end ?? 0) === "?" && form !== FORM.digits;
  if (gap !== GAP.colon && gap !== GAP.line && !isAsked) return false;
  let kinds = 0;
  for (const { word, cues } of tokens.slice(Math.max(0, index - HEADING), index))
    kinds |= CODE_WORD.test(word) ? cues : cues & ~CODES;
  return (kinds & BACKUPS) !== 0 && (kinds & CODES) !== 0;
}

/** "The password of the printer is sunbeam." */
function isSaidWord({ text, tokens }: Message, { first, last, start, end }: Candidate): boolean {
  const [token, before] = [tokens[first], tokens[first - 1]];
  if (token === undefined || before === undefined || end - start < MIN_WORD) return false;
  if (!endsClause(text, tokens, last) || token.cues !== 0 || isFunctionWord(token.word)) return false;
  const isAssigned = token.gap === GAP.colon;
  if (!isAssigned && (!isEquals(before.word) || token.gap !== GAP.space)) return false;
  for (const [near, index] of backFrom(tokens, first - 1, { first, most: WORD_BEFORE })) {
    if (near.cues & PASSWORDS && !(near.cues & NOT_PASSWORDS))
      return near.word !== "pass" && (!isAssigned || index === first - 1);
    if (near.gap !== GAP.space) return false;
  }
  return false;
}

/** "Passphrase: six old owls sleep in the barn" */
function isSaidPhrase({ text, tokens }: Message, { first, last }: Candidate): boolean {
  const [token, before] = [tokens[first], tokens[first - 1]];
  if (token === undefined || before === undefined || last - first + 1 < MIN_PHRASE) return false;
  if (!endsClause(text, tokens, last)) return false;
  const isAssigned = token.gap === GAP.colon;
  if (!isAssigned && (!isEquals(before.word) || token.gap !== GAP.space)) return false;
  let named = 0;
  for (const [near] of backFrom(tokens, first - 1, { first, most: isAssigned ? 2 : WORD_BEFORE })) {
    named |= near.cues;
    // A phrase is one of many: "the secret phrase", "the passphrase".
    if (near.cues & PHRASES) return (named & PASSWORDS) !== 0;
    if (near.gap === GAP.comma) return false;
  }
  return false;
}

/** Whether a clause, line or text ends after a token. */
function endsClause(text: string, tokens: readonly Token[], last: number): boolean {
  const after = tokens[last + 1];
  if (after === undefined || after.gap === GAP.line || after.gap === GAP.stop || after.gap === GAP.comma) return true;
  return /["'”»)]/.test(text.charAt(tokens[last]?.end ?? 0)) || after.opening === 2;
}

/** How many plain words make talk of a text, and how many characters a value needs that stands without a word for it. */
const MIN_WORDS = 2;
const MIN_CHOSEN = 8;
const MAX_CHOSEN = 64;
const NEAR_AFTER = 8;
const PLAIN_WORDS: ReadonlySet<Form> = new Set([FORM.lower, FORM.capital, FORM.unspaced]);
const SIGN = /[!#$%&*?@^~]/;
/** "Ticket#48213", "Rechnung%20Mai.pdf" */
const NAME_OR_ADDRESS = /^[\p{L}_]+[#@]\d+$|%[\dA-F]{2}/u;
/** A name with a number at the end of a sentence: "Apollo13?" */
const NUMBERED = /^\p{L}+\d{1,2}[!?]+$/u;

/** Whether a value has what people put into passwords and nothing else has: letters, digits and signs. */
export function looksChosen(text: string, { form, start, end }: { form: Form; start: number; end: number }): boolean {
  const length = end - start;
  if (form !== FORM.mixed || length < MIN_CHOSEN || length > MAX_CHOSEN) return false;
  const value = text.slice(start, end);
  return SIGN.test(value) && !NUMBERED.test(value);
}

/** Whether such a value stands among words. */
export function isChosenInTalk({ text, tokens }: Message, candidate: Candidate): boolean {
  if (!looksChosen(text, candidate)) return false;
  let words = 0;
  for (let index = candidate.first - NAMED_BEFORE; index <= candidate.last + NEAR_AFTER; index++) {
    const token = tokens[index];
    if (token && PLAIN_WORDS.has(token.form) && token.end - token.start > 2) words += 1;
  }
  return words >= MIN_WORDS;
}

/** Whether it also has letters of both cases, so that only a password looks like it. */
export function isPlainlyChosen(message: Message, candidate: Candidate): boolean {
  const { start, end } = candidate;
  const value = message.text.slice(start, Math.min(end, start + MAX_CHOSEN)).replace(/[!?*~-]+$/, "");
  return (
    !NAME_OR_ADDRESS.test(value) &&
    /\p{Lu}/u.test(value) &&
    /\p{Ll}/u.test(value) &&
    /\p{L}[\p{L}\d]*[!#$%*?^~]|[!#$%*?^~]\p{L}/u.test(value) &&
    !/[/\\=;,:<>()[\]{}|]|^[@#$%&*~-]|@\p{L}[\p{L}-]*\./u.test(value) &&
    isChosenInTalk(message, candidate)
  );
}

/** Whether a word for a user, not for an administrator or an address, names a value: "my username in the forum is ada_5". */
export function isUserName({ tokens }: Message, { first }: Candidate): boolean {
  const [token, before] = [tokens[first], tokens[first - 1]];
  if (token === undefined || before === undefined || (token.gap !== GAP.space && token.gap !== GAP.colon)) return false;
  const isUser = ({ word, cues }: Token) =>
    (cues & (USERS | STRONG)) === USERS && !ADMINS.has(word) && !/mail/.test(word);
  if (isUser(before)) return true;
  if (token.gap === GAP.colon || !isEquals(before.word)) return false;
  for (const [near, index] of backFrom(tokens, first - 2, { first, most: USER_BEFORE })) {
    if (near.cues & STRONG) return false;
    // "the user Ada is …" names her.
    if (isUser(near)) return index === first - 2 || isFunctionWord(tokens[index + 1]?.word ?? "");
  }
  return false;
}
