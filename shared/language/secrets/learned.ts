import weights from "../../../models/secrets/weights.json" with { type: "json" };
import { type Candidate, CUES, candidatesIn, walletWords } from "./candidates.ts";
import { bitsOf, isCopula } from "./cues.ts";
import { featuresOf, MAX_FEATURES, type Message, messageOf, WEIGHTS } from "./features.ts";
import type { FoundSecret } from "./found-secret.ts";
import { FORM, type Form, GAP, isMade, type Token, tokensOf } from "./tokens.ts";

/** The model of models/secrets: a logistic regression over hashed features. */
const WEIGHT = new Int8Array(Buffer.from(weights.weights, "base64"));
if (WEIGHT.length !== WEIGHTS)
  throw new Error(`models/secrets/weights.json has ${WEIGHT.length} weights, not ${WEIGHTS}`);
const features = new Uint16Array(MAX_FEATURES);

/** A candidate with its score: above zero, it counts as a secret. */
interface Scored extends Candidate {
  score: number;
}

/** Returns the passwords, codes and keys that have no form of their own and stand beside others of the same kind or in words. */
export function findLearned(text: string): FoundSecret[] {
  const tokens = tokensOf(text);
  const message = messageOf(text, tokens);
  // Values alone (of metadata, of a table) say nothing of what they are.
  if ((message.cues & CUES) === 0) return [];
  const starts = sharedStarts(tokens);
  const found: FoundSecret[] = [];
  const scored: Scored[] = [];
  for (const candidate of candidatesIn(text, tokens)) {
    if (BETWEEN_MEMBERS.test(text.slice(candidate.start, candidate.end))) continue;
    const score = Math.max(scoreOf(message, candidate), isSaid(message, candidate) ? SURE : 0);
    if (score > 0 && !isNumberedName(tokens, candidate, starts)) scored.push({ ...candidate, score });
  }
  for (const { start, end, first, last, form } of withoutOverlaps(scored))
    found.push(withGroups(tokens, first, last, { type: typeOf(message, first, last, form), start, end }));
  if (message.cues & WALLETS)
    for (const { start, end } of walletWords(tokens)) found.push({ type: "seed_phrase", start, end });
  return found;
}

/** What separates members of JSON: no value goes across it. */
const BETWEEN_MEMBERS = /"[,:]/;

/** The score of what needs no model. */
const SURE = 0.1;

/** Whether a sentence says "password", and "is" or a colon before a value that is made up. */
function isSaid({ text, tokens }: Message, { first, end, form }: Candidate): boolean {
  const [token, before] = [tokens[first], tokens[first - 1]];
  if (token === undefined || before === undefined || !isMade(form) || text.charAt(end) === "(") return false;
  if (token.gap !== GAP.colon && !isCopula(before.word)) return false;
  for (let index = first - 1; index >= Math.max(0, first - NAMED_BEFORE); index--) {
    const near = tokens[index];
    if (near === undefined || near.sentence !== token.sentence) return false;
    if (near.cues & OTHER_THAN_PASSWORDS) return false;
    // A boarding pass is another thing.
    if (near.cues & PASSWORDS) return ((tokens[index - 1]?.cues ?? 0) & OTHERS) === 0;
  }
  return false;
}

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

function scoreOf(message: Message, candidate: Candidate): number {
  const count = featuresOf(message, candidate, features);
  let sum = 0;
  for (let index = 0; index < count; index++) sum += WEIGHT[features[index] ?? 0] ?? 0;
  return sum * weights.scale - weights.threshold;
}

/** Of candidates that overlap, the one with the higher score. */
export function withoutOverlaps(scored: Scored[]): Scored[] {
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
function withGroups(tokens: readonly Token[], first: number, last: number, found: FoundSecret): FoundSecret {
  const length = found.end - found.start;
  if (found.type !== "backup_code" || length > MAX_GROUP) return found;
  let [from, to] = [first, last];
  while (tokens[from]?.gap === GAP.space && isGroupOf(tokens[from - 1], length)) from -= 1;
  while (tokens[to + 1]?.gap === GAP.space && isGroupOf(tokens[to + 1], length)) to += 1;
  return { ...found, start: tokens[from]?.start ?? found.start, end: tokens[to]?.end ?? found.end };
}

const WALLETS = bitsOf("backups");
const PASSWORDS = bitsOf("passwords");
const OTHER_THAN_PASSWORDS = bitsOf("users", "hashes", "examples");
const OTHERS = bitsOf("others");
const PINS = bitsOf("pins", "codes");
const KEYS = bitsOf("keys");
const BACKUPS = bitsOf("backups");
const KINDS = PASSWORDS | PINS | KEYS | BACKUPS;
/** How many tokens before and after a value the word that names its type may be. */
const NAMED_BEFORE = 12;
const NAMED_AFTER = 8;
const MIN_KEY = 16;
const MAX_GROUP = 6;

/** The type that `[REDACTED:type]` names, by the nearest word for one. */
function typeOf({ tokens, cues }: Message, first: number, last: number, form: Form): string {
  const isDigits = form === FORM.digits || form === FORM.groups;
  const token = tokens[first];
  const isLong = token !== undefined && token.end - token.start >= MIN_KEY;
  const near = nearestOf(tokens, first, last);
  const kinds = near?.cues ?? 0;
  if (kinds & BACKUPS || (cues & BACKUPS && !(kinds & PASSWORDS) && form !== FORM.phrase && (isDigits || !isLong)))
    return form === FORM.phrase ? "seed_phrase" : "backup_code";
  if (isDigits) return kinds & PASSWORDS && !(kinds & PINS) ? "password" : "pin";
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
