import { BACKUPS, bitsOf, isCopula, isFunctionWord } from "./cues.ts";
import { FORM, type Form, GAP, isMade, type Token } from "./tokens.ts";

/** A part of a text that may be a secret: tokens `first` to `last`. */
export interface Candidate {
  start: number;
  end: number;
  first: number;
  last: number;
  form: Form;
}

/** Kinds of words near which plain words and phrases may be secrets. */
export const CUES = bitsOf(
  "passwords",
  "pins",
  "codes",
  "keys",
  "access",
  "users",
  "changes",
  "sent",
  "devices",
  "backups",
  "answers",
);
/** Those of them that mean a secret and little else. */
export const STRONG = bitsOf("passwords", "pins", "keys", "backups");
/** How many tokens a candidate may be away from such a word, after it and before it. */
const AFTER = 14;
const BEFORE = 12;
const PHRASE_AFTER = 12;
const PHRASE_BEFORE = 8;
const FAR = 99;
const MIN_LENGTH = 3;
const MAX_LENGTH = 4000;
const MIN_WORD = 4;
/** Words of this length may be several without spaces. */
const LONG_WORD = 12;
const FEW_TOKENS = 8;
const MAX_DIGITS = 12;
const MAX_GROUP = 4;
const MAX_GROUPS = 4;
const MAX_PHRASE = 24;
const MAX_PHRASES = 40;
const MAX_ENDS = 5;
const MAX_PHRASE_LENGTH = 240;

/** Tokens that may be secrets far from any cue, besides those that are made up. */
const NOTABLE: ReadonlySet<Form> = new Set([
  FORM.upperDigits,
  FORM.upperDigitsSigns,
  FORM.number,
  FORM.numberSigns,
  FORM.quantity,
]);
const NEVER: ReadonlySet<Form> = new Set([FORM.email, FORM.path]);
const NO_WORD: ReadonlySet<Form> = new Set([FORM.resembling, FORM.counted]);
const PHRASE_WORDS: ReadonlySet<Form> = new Set([FORM.lower, FORM.capital, FORM.upper, FORM.hyphened, FORM.unspaced]);
const OPENERS: ReadonlySet<number> = new Set([GAP.comma, GAP.colon, GAP.dash, GAP.line]);

/** Returns what may be a secret in a text: at most a fixed number of candidates for each token. */
export function candidatesIn(text: string, tokens: readonly Token[]): Candidate[] {
  const [since, until] = distances(tokens);
  const found: Candidate[] = [];
  let phrases = 0;
  for (const [index, token] of tokens.entries()) {
    if (isInPlaceholder(text, token)) continue;
    const isNear = (since[index] ?? FAR) <= AFTER || (until[index] ?? FAR) <= BEFORE;
    if (token.form === FORM.digits) addDigits(tokens, index, found);
    else if (isValue(tokens, index, isNear)) found.push(candidateOf(tokens, index, index, token.form));
    if (phrases < MAX_PHRASES && ((since[index] ?? FAR) <= PHRASE_AFTER || (until[index] ?? FAR) <= PHRASE_BEFORE))
      phrases += addPhrases(text, tokens, index, found);
  }
  return found;
}

/** How many tokens each one is after the last cue and before the next one. */
function distances(tokens: readonly Token[]): [since: number[], until: number[]] {
  const since = tokens.map(() => FAR);
  const until = tokens.map(() => FAR);
  let [before, after] = [-FAR, tokens.length + FAR];
  for (const [index, { cues }] of tokens.entries()) {
    since[index] = index - before;
    if (cues & CUES) before = index;
  }
  for (let index = tokens.length - 1; index >= 0; index--) {
    until[index] = after - index;
    if ((tokens[index]?.cues ?? 0) & CUES) after = index;
  }
  return [since, until];
}

/** "{{ db_password }}", "$DB_PASS", "%PASSWORD%" */
function isInPlaceholder(text: string, { start }: Token): boolean {
  const before = text.charAt(start - 1);
  return before === "{" || before === "$" || before === "%" || (before === " " && text.charAt(start - 2) === "{");
}

const candidateOf = (tokens: readonly Token[], first: number, last: number, form: Form): Candidate => ({
  start: tokens[first]?.start ?? 0,
  end: tokens[last]?.end ?? 0,
  first,
  last,
  form,
});

function isValue(tokens: readonly Token[], index: number, isNear: boolean): boolean {
  const token = tokens[index];
  if (token === undefined || NEVER.has(token.form)) return false;
  const length = token.end - token.start;
  if (length < MIN_LENGTH || length > MAX_LENGTH) return false;
  // Digests and commits: a key of this form has a word for it.
  if (/^[\da-f]{7,40}$/.test(token.word) && length === token.word.length && /\d/.test(token.word) && !isNear)
    return false;
  if (isMade(token.form) || NOTABLE.has(token.form)) return true;
  if (token.form === FORM.resembling) return isNear && length >= 6 && isNearStrong(tokens, index);
  if (NO_WORD.has(token.form) || length < MIN_WORD || (isFunctionWord(token.word) && length < 6)) return false;
  return (
    isNear ||
    tokens.length <= FEW_TOKENS ||
    isAlone(tokens, index) ||
    (token.form === FORM.lower && length >= LONG_WORD)
  );
}

/** Whether a word for a secret is near a token, as a value must have one that resembles something else. */
const isNearStrong = (tokens: readonly Token[], index: number): boolean =>
  tokens.slice(Math.max(0, index - AFTER), index + BEFORE + 1).some(({ cues }) => cues & STRONG);

/** Whether a token has a line of its own. */
function isAlone(tokens: readonly Token[], index: number): boolean {
  const next = tokens[index + 1];
  return (index === 0 || tokens[index]?.gap === GAP.line) && (next === undefined || next.gap === GAP.line);
}

/** Digits alone, or two to four groups of them: "482 913". */
function addDigits(tokens: readonly Token[], index: number, found: Candidate[]): void {
  const token = tokens[index];
  if (token === undefined) return;
  const length = token.end - token.start;
  const next = tokens[index + 1];
  const isPart = isGroup(tokens, index - 1, token) || (next !== undefined && isGroup(tokens, index, next));
  if (length >= MIN_LENGTH && length <= MAX_DIGITS && !isPart)
    found.push(candidateOf(tokens, index, index, FORM.digits));
  if (length > MAX_GROUP || isGroup(tokens, index - 1, token)) return;
  for (let last = index + 1; last < index + MAX_GROUPS; last++) {
    const group = tokens[last];
    if (group === undefined || group.end - group.start > MAX_GROUP || !isGroup(tokens, last - 1, group)) return;
    const next = tokens[last + 1];
    if (!(next?.form === FORM.digits && next.gap === GAP.space))
      found.push(candidateOf(tokens, index, last, FORM.groups));
  }
}

/** Whether a token is the next group of digits after another one. */
function isGroup(tokens: readonly Token[], before: number, token: Token): boolean {
  const other = tokens[before];
  return (
    token.form === FORM.digits &&
    other?.form === FORM.digits &&
    token.gap === GAP.space &&
    token.start - other.end === 1
  );
}

/** Phrases that begin at a token, up to the ends of the clause and before words that go on: "limoncello fatto in casa". */
function addPhrases(text: string, tokens: readonly Token[], first: number, found: Candidate[]): number {
  const start = tokens[first];
  const before = tokens[first - 1];
  if (start === undefined || !PHRASE_WORDS.has(start.form)) return 0;
  if (start.opening !== 1 && isCopula(start.word)) return 0;
  const isOpened =
    start.opening === 1 ||
    OPENERS.has(start.gap) ||
    (before !== undefined && (before.cues !== 0 || isFunctionWord(before.word) || isCopula(before.word)));
  if (!isOpened) return 0;
  let added = 0;
  let content = isFunctionWord(start.word) ? 0 : 1;
  for (let last = first + 1; last < first + MAX_PHRASE && added < MAX_ENDS; last++) {
    const token = tokens[last];
    if (token === undefined || (token.opening !== 0 && start.opening !== 1) || !continues(start, token)) break;
    if (!isFunctionWord(token.word) && token.form !== FORM.digits) content += 1;
    const next = tokens[last + 1];
    const isEnd =
      next === undefined ||
      next.gap !== GAP.space ||
      next.opening !== 0 ||
      isFunctionWord(next.word) ||
      (start.opening === 1 && /["'”“»』」`]/.test(text.charAt(token.end)));
    if (!isEnd || content < 2 || token.end - start.start >= MAX_PHRASE_LENGTH) continue;
    found.push(candidateOf(tokens, first, last, FORM.phrase));
    added += 1;
  }
  return added;
}

const continues = (start: Token, { gap }: Token): boolean =>
  gap === GAP.space || gap === GAP.none || (gap === GAP.comma && start.opening === 1);

const MIN_WALLET = 12;
const MAX_WALLET = 25;
const MIN_WALLET_WORD = 3;
const MAX_WALLET_WORD = 10;

/** How many tokens before the words of a wallet one says what they are. */
const WALLET_BEFORE = 12;

/** Yields the words of wallets after a word for them: 12 to 24 words in lower case in a row, none that sentences need. */
export function* walletWords(tokens: readonly Token[]): Generator<Candidate> {
  let [first, last, count] = [0, 0, 0];
  const isWallet = () =>
    count >= MIN_WALLET &&
    count <= MAX_WALLET &&
    tokens.slice(Math.max(0, first - WALLET_BEFORE), first + 1).some(({ cues }) => cues & BACKUPS);
  for (const [index, token] of tokens.entries()) {
    const length = token.end - token.start;
    if (token.form === FORM.digits && length <= 2) continue;
    const isWord =
      token.form === FORM.lower &&
      length >= MIN_WALLET_WORD &&
      length <= MAX_WALLET_WORD &&
      !isFunctionWord(token.word);
    const isNext =
      isWord && (token.gap !== GAP.stop || tokens[index - 1]?.form === FORM.digits) && token.gap !== GAP.colon;
    if (!isNext) {
      if (isWallet()) yield candidateOf(tokens, first, last, FORM.phrase);
      count = 0;
    }
    if (!isWord) continue;
    if (count === 0) first = index;
    count += 1;
    last = index;
  }
  if (isWallet()) yield candidateOf(tokens, first, last, FORM.phrase);
}
