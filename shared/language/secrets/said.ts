import type { Candidate } from "./candidates.ts";
import { bitsOf, isCopula, isEquals, isFunctionWord } from "./cues.ts";
import type { Message } from "./features.ts";
import { FORM, type Form, GAP, isMade, type Token } from "./tokens.ts";

/** What is a secret without a model: values that a sentence calls a password, and those that look like nothing else. */

/** How far a value may be from the word that names it: made up ones, plain words, and phrases. */
const ADMINS: ReadonlySet<string> = new Set(["admin", "root"]);
const NAMED_BEFORE = 12;
const WORD_BEFORE = 5;
const MIN_WORD = 4;
const MIN_PHRASE = 3;
const MIN_PIN = 4;
const MAX_PIN = 8;
/** How many backup codes follow one another, and how many words before them are their heading. */
const MAX_CODES = 24;
const HEADING = 6;
const PINS = bitsOf("pins");
const BACKUPS = bitsOf("backups");
const CODES = bitsOf("codes");
const PASSWORDS = bitsOf("passwords");
const PHRASES = bitsOf("phrases");
const OTHER_THAN_PASSWORDS = bitsOf("users", "hashes", "examples");
const OTHERS = bitsOf("others");
const NOT_PASSWORDS = bitsOf("notPasswords");
const USERS = bitsOf("users");
const USER_BEFORE = 4;

/** Whether a sentence says "password" or the like before a candidate, and "is" or a colon between them. */
export function isSaid(message: Message, candidate: Candidate): boolean {
  if (isBackupCode(message, candidate)) return true;
  if (candidate.form === FORM.digits) return isSaidNumber(message, candidate);
  if (isMade(candidate.form)) return isSaidValue(message, candidate);
  if (candidate.form === FORM.phrase) return isSaidPhrase(message, candidate);
  return (candidate.form === FORM.lower || candidate.form === FORM.capital) && isSaidWord(message, candidate);
}

function isSaidValue({ text, tokens }: Message, { first, end }: Candidate): boolean {
  const [token, before] = [tokens[first], tokens[first - 1]];
  if (token === undefined || before === undefined || text.charAt(end) === "(") return false;
  if (token.gap !== GAP.colon && !isCopula(before.word)) return false;
  // "admin:Kayak-42"
  if (token.start - before.end === 1 && ADMINS.has(before.word)) return true;
  for (let index = first - 1; index >= Math.max(0, first - NAMED_BEFORE); index--) {
    const near = tokens[index];
    if (near === undefined || near.sentence !== token.sentence) return false;
    if (near.cues & OTHER_THAN_PASSWORDS) return false;
    // A "pass" may be another thing.
    if (near.cues & PASSWORDS) return near.word !== "pass" && ((tokens[index - 1]?.cues ?? 0) & OTHERS) === 0;
  }
  return false;
}

/** "PIN: 4711", "my PIN is 4711" */
function isSaidNumber({ tokens }: Message, { first, start, end }: Candidate): boolean {
  const [token, before, named] = [tokens[first], tokens[first - 1], tokens[first - 2]];
  if (token === undefined || before === undefined || end - start < MIN_PIN || end - start > MAX_PIN) return false;
  if (token.gap === GAP.colon) return (before.cues & PINS) !== 0 && ((named?.cues ?? 0) & OTHERS) === 0;
  if (token.gap !== GAP.space || before.gap !== GAP.space || !isEquals(before.word)) return false;
  return ((named?.cues ?? 0) & PINS) !== 0 && ((tokens[first - 3]?.cues ?? 0) & OTHERS) === 0;
}

/** "Backup codes of the mail: mz4t vq81 8krs", and the lines after such a heading. */
function isBackupCode({ tokens }: Message, { first, start, end }: Candidate): boolean {
  const hasDigit = (index: number) => /\d/.test(tokens[index]?.word ?? "");
  if (!hasDigit(first) || end - start < MIN_WORD) return false;
  let index = first;
  for (let passed = 0; passed < MAX_CODES && tokens[index]?.gap !== GAP.colon && hasDigit(index - 1); passed++)
    index -= 1;
  const { gap } = tokens[index] ?? {};
  if (gap !== GAP.colon && gap !== GAP.line) return false;
  let kinds = 0;
  for (let distance = 1; distance <= HEADING; distance++) kinds |= tokens[index - distance]?.cues ?? 0;
  return (kinds & BACKUPS) !== 0 && (kinds & CODES) !== 0;
}

/** "The password of the printer is sunbeam." */
function isSaidWord({ text, tokens }: Message, { first, last, start, end }: Candidate): boolean {
  const [token, before] = [tokens[first], tokens[first - 1]];
  if (token === undefined || before === undefined || end - start < MIN_WORD) return false;
  if (!endsClause(text, tokens, last) || token.cues !== 0 || isFunctionWord(token.word)) return false;
  const isAssigned = token.gap === GAP.colon;
  if (!isAssigned && (!isEquals(before.word) || token.gap !== GAP.space)) return false;
  for (let index = first - 1; index >= Math.max(0, first - WORD_BEFORE); index--) {
    const near = tokens[index];
    if (near === undefined || near.sentence !== token.sentence) return false;
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
  for (let index = first - 1; index >= Math.max(0, first - (isAssigned ? 2 : WORD_BEFORE)); index--) {
    const near = tokens[index];
    if (near === undefined || near.sentence !== token.sentence) return false;
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

/** Whether a value has what people put into passwords and nothing else has: letters, digits and signs. */
export function looksChosen(text: string, { form, start, end }: { form: Form; start: number; end: number }): boolean {
  const length = end - start;
  return form === FORM.mixed && length >= MIN_CHOSEN && length <= MAX_CHOSEN && SIGN.test(text.slice(start, end));
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
  const value = message.text.slice(candidate.start, Math.min(candidate.end, candidate.start + MAX_CHOSEN));
  return (
    /\p{Lu}/u.test(value) &&
    /\p{Ll}/u.test(value) &&
    /\p{L}[\p{L}\d]*[!#$%*?^~]|[!#$%*?^~]\p{L}/u.test(value) &&
    !/[/\\=;,:<>()[\]{}|]|^[@#$%&*~-]|@\p{L}[\p{L}-]*\./u.test(value) &&
    !isUserName(message, candidate) &&
    isChosenInTalk(message, candidate)
  );
}

/** Whether a word for a user, and none for a password, is near before a value: "my username is Kayak#42". */
function isUserName({ tokens }: Message, { first }: Candidate): boolean {
  let kinds = 0;
  for (let distance = 1; distance <= USER_BEFORE; distance++) kinds |= tokens[first - distance]?.cues ?? 0;
  return (kinds & USERS) !== 0 && (kinds & PASSWORDS) === 0;
}
