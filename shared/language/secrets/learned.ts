import stored from "../../../models/secrets/weights.json" with { type: "json" };
import { type Candidate, CUES, candidatesIn, STRONG, walletWords } from "./candidates.ts";
import { BACKUPS, CODES, HASHES, KEYS, OTHERS, PASSWORDS, PINS, USERS } from "./cues.ts";
import { isDataLine } from "./data-lines.ts";
import { featuresOf, MAX_FEATURES, type Message, type Surroundings, surroundingsOf, WEIGHTS } from "./features.ts";
import type { FoundSecret } from "./found-secret.ts";
import { isChosenInTalk, isPlainlyChosen, isSaid, isUserName, looksChosen, MIN_KEY, NAMED_BEFORE } from "./said.ts";
import { FORM, type Form, GAP, isMade, type Token, tokensOf } from "./tokens.ts";

/** A logistic regression over hashed features: a candidate whose weights sum up to more than the threshold is a secret. */
export interface Model {
  weights: ArrayLike<number>;
  scale: number;
  threshold: number;
}

export interface ReadingOptions {
  /** Whether the text is a name and a value of data, not talk. */
  isData?: boolean;
  model?: Model;
}

/** The model of models/secrets. */
const MODEL: Model = { ...stored, weights: new Int8Array(Buffer.from(stored.weights, "base64")) };
if (MODEL.weights.length !== WEIGHTS)
  throw new Error(`models/secrets/weights.json has ${MODEL.weights.length} weights, not ${WEIGHTS}`);
const features = new Uint16Array(MAX_FEATURES);

/** A candidate about which the model is asked. */
interface Asked {
  candidate: Candidate;
  around: Surroundings;
}

/** A candidate with its score: above zero, it counts as a secret. */
interface Scored extends Candidate {
  score: number;
  around: Surroundings;
}

/**
 * Returns the passwords, codes and keys that have no form of their own and stand beside others of the same kind or in words.
 * In data, such as metadata, only the name of a value says that it is a secret.
 */
export function findLearned(text: string, { isData = false, model = MODEL }: ReadingOptions = {}): FoundSecret[] {
  const tokens = tokensOf(text);
  const message = { text, tokens };
  const starts = sharedStarts(tokens);
  const found: FoundSecret[] = [];
  const scored: Scored[] = [];
  for (const { candidate, around } of askedIn(message, isData)) {
    const isCalledSecret = isSaid(message, candidate);
    if (!isCalledSecret && isUserName(message, candidate)) continue;
    const score = Math.max(
      scoreOf(message, candidate, around, model),
      isCalledSecret || isPlainlyChosen(message, candidate) ? SURE : 0,
    );
    if (score > 0 && !isNumberedName(tokens, candidate, starts)) scored.push({ ...candidate, score, around });
  }
  for (const each of withoutOverlaps(scored)) found.push(withGroups(tokens, each, typeOf(tokens, each)));
  for (const { start, end } of walletWords(tokens)) found.push({ type: "seed_phrase", start, end });
  return found;
}

/** Yields what may be a secret in people's talk beside a word for one, and in data the values that a name calls one. */
export function* askedIn(message: Message, isData: boolean): Generator<Asked> {
  const { text, tokens } = message;
  // Most values alone say nothing of what they are.
  if (!tokens.some((token) => token.cues & CUES || token.form === FORM.email || looksChosen(text, token))) return;
  const isOfData = isData ? () => true : dataLines(message);
  for (const candidate of candidatesIn(text, tokens)) {
    if (BETWEEN_MEMBERS.test(text.slice(candidate.start, candidate.end)) || isLabel(message, candidate)) continue;
    const around = surroundingsOf(tokens, candidate);
    const mayBeSecret =
      (around.cues & STRONG) !== 0 ||
      isNearCue(tokens, candidate) ||
      isAfterAddress(tokens, candidate) ||
      isChosenInTalk(message, candidate);
    if (mayBeSecret && (!isOfData(candidate) || isNamedSecret(tokens, candidate))) yield { candidate, around };
  }
}

/** How far away words are evidence that also mean much else: "open", "sent", "new". */
const CUE_BEFORE = 12;
const CUE_AFTER = 8;
/** How many tokens before a value the address is that it belongs to: "ada@example.com / Kayak!42". */
const ADDRESS_BEFORE = 4;
/** Whether a word beside secrets is so near that it may be about a candidate. */
function isNearCue(tokens: readonly Token[], { first, last }: Candidate): boolean {
  for (let index = Math.max(0, first - CUE_BEFORE); index <= Math.min(tokens.length - 1, last + CUE_AFTER); index++)
    if ((tokens[index]?.cues ?? 0) & CUES && (index < first || index > last)) return true;
  return false;
}

function isAfterAddress(tokens: readonly Token[], { first }: Candidate): boolean {
  for (let distance = 1; distance <= ADDRESS_BEFORE; distance++)
    if (tokens[first - distance]?.form === FORM.email) return true;
  return false;
}

/** Returns whether a candidate is on a line that a program wrote; each line is read once. */
function dataLines({ text, tokens }: Message): (candidate: Candidate) => boolean {
  const known = new Map<number, boolean>();
  return ({ first, start }) => {
    const line = tokens[first]?.line ?? 0;
    let is = known.get(line);
    if (is === undefined) {
      const end = text.indexOf("\n", start);
      is = isDataLine(text.slice(text.lastIndexOf("\n", start) + 1, end === -1 ? undefined : end));
      known.set(line, is);
    }
    return is;
  };
}

/** Whether the name of a value, or the words before it in the same string, mean a secret. */
function isNamedSecret(tokens: readonly Token[], { first, form, start, end }: Candidate): boolean {
  let kinds = 0;
  for (let index = first - 1; index >= Math.max(0, first - NAMED_BEFORE); index--) {
    const { cues = 0 } = tokens[index] ?? {};
    const gap = tokens[index + 1]?.gap;
    if (gap !== GAP.space && gap !== GAP.colon && gap !== GAP.none) break;
    if (cues & HASHES || (cues & OTHER_NAMES && !(cues & (PASSWORDS | KEYS)))) return false;
    kinds |= cues;
    if (gap === GAP.colon) break;
  }
  return Boolean(kinds & (PASSWORDS | PINS)) || (Boolean(kinds & KEYS) && isMade(form) && end - start >= MIN_KEY);
}

/** Whether a value begins its line and a colon or bracket ends it, as ids of records do: "k8j2: Ada told Ben". */
function isLabel({ text, tokens }: Message, { first, last, end }: Candidate): boolean {
  const [token, after] = [tokens[first], tokens[last + 1]];
  if (first !== 0 && token?.gap !== GAP.line) return false;
  return /[:\])>|]/.test(text.charAt(end)) && after?.line === token?.line;
}

/** What separates members of JSON: no value goes across it. */
const BETWEEN_MEMBERS = /"[,:]/;

/** The score of what needs no model. */
const SURE = 0.1;

/** How many numbered names are alike, and how many of their first letters are. */
const MIN_NAMES = 3;
const NAME_START = 4;
const NAMED: ReadonlySet<Form> = new Set([
  FORM.lowerDigits,
  FORM.capitalDigits,
  FORM.mixedCaseDigits,
  FORM.lowerDigitsInside,
]);

/** The beginnings that several numbered names of a text share, counted once for all of its candidates. */
function sharedStarts(tokens: readonly Token[]): ReadonlyMap<string, number> {
  const starts = new Map<string, number>();
  for (const { word, form } of tokens) {
    if (!NAMED.has(form)) continue;
    const start = word.slice(0, NAME_START);
    starts.set(start, (starts.get(start) ?? 0) + 1);
  }
  return starts;
}

/** Whether a value is one of several numbered names: "Guest4 lives in Bern. Guest5 lives in Rome. Guest6 …" */
function isNumberedName(
  tokens: readonly Token[],
  { first, last, form }: Candidate,
  starts: ReadonlyMap<string, number>,
): boolean {
  const [token, after] = [tokens[first], tokens[last + 1]];
  if (token === undefined || !NAMED.has(form) || token.gap === GAP.colon || token.gap === GAP.slash) return false;
  const start = token.word.slice(0, NAME_START);
  if (/\d/.test(start) || (starts.get(start) ?? 0) < MIN_NAMES) return false;
  // A password without a word for one ends its line or sentence.
  return after?.sentence === token.sentence && after.gap === GAP.space && nearestOf(tokens, first, last) === undefined;
}

function scoreOf(message: Message, candidate: Candidate, around: Surroundings, model: Model): number {
  const count = featuresOf(message, candidate, around, features);
  let sum = 0;
  for (let index = 0; index < count; index++) sum += model.weights[features[index] ?? 0] ?? 0;
  return sum * model.scale - model.threshold;
}

/** Of candidates that overlap, the one with the higher score. */
function withoutOverlaps(scored: Scored[]): Scored[] {
  const kept: Scored[] = [];
  for (const each of scored.sort((one, other) => one.start - other.start || other.score - one.score)) {
    const last = kept.at(-1);
    if (last === undefined || each.start >= last.end) kept.push(each);
    else if (each.score > last.score) kept[kept.length - 1] = each;
  }
  return kept;
}

/** Whether a token is the next or former group of a code: "mz4t vq81 8krs". */
const isGroupOf = (token: Token | undefined, length: number): token is Token =>
  token !== undefined && token.end - token.start === length && /\d/.test(token.word);

/** A backup code with all of its groups. */
function withGroups(tokens: readonly Token[], { first, last, start, end }: Candidate, type: string): FoundSecret {
  const length = end - start;
  if (type !== "backup_code" || length > MAX_GROUP) return { type, start, end };
  let [from, to] = [first, last];
  while (tokens[from]?.gap === GAP.space && isGroupOf(tokens[from - 1], length)) from -= 1;
  while (tokens[to + 1]?.gap === GAP.space && isGroupOf(tokens[to + 1], length)) to += 1;
  return { type, start: tokens[from]?.start ?? start, end: tokens[to]?.end ?? end };
}

const OTHER_NAMES = USERS | OTHERS;
const KINDS = PASSWORDS | PINS | CODES | KEYS | BACKUPS;
/** How many tokens after a value the word that names its type may be. */
const NAMED_AFTER = 8;
const MAX_GROUP = 6;

/** The type that `[REDACTED:type]` names, by the nearest word for one. */
function typeOf(tokens: readonly Token[], { first, last, form, around: { cues } }: Scored): string {
  const isDigits = form === FORM.digits || form === FORM.groups;
  const token = tokens[first];
  const isLong = token !== undefined && token.end - token.start >= MIN_KEY;
  const near = nearestOf(tokens, first, last);
  const kinds = near?.cues ?? 0;
  if (kinds & BACKUPS || (cues & BACKUPS && !(kinds & PASSWORDS) && form !== FORM.phrase && (isDigits || !isLong)))
    return form === FORM.phrase ? "seed_phrase" : "backup_code";
  if (isDigits) return kinds & PASSWORDS && !(kinds & (PINS | CODES)) ? "password" : "pin";
  if (kinds & PASSWORDS || !(kinds & KEYS || (form === FORM.random && isLong))) return "password";
  if (/token|jeton|gettone/.test(near?.word ?? "")) return "token";
  return /secret|geheim|segreta/.test(near?.word ?? "") ? "secret" : "api_key";
}

function nearestOf(tokens: readonly Token[], first: number, last: number): Token | undefined {
  for (let distance = 1; distance <= NAMED_BEFORE; distance++) {
    const [before, after] = [tokens[first - distance], distance <= NAMED_AFTER ? tokens[last + distance] : undefined];
    if (before && before.cues & KINDS) return before;
    if (after && after.cues & KINDS) return after;
  }
  return undefined;
}
