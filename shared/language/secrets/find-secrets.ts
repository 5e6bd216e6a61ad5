import { cuesOf, PASSWORDS } from "./cues.ts";
import type { FoundSecret } from "./found-secret.ts";
import { mayHaveNumber, NUMBER_FORMATS, type NumberFormat, OTHER_NUMBERS } from "./identity-numbers.ts";
import { findLearned, type ReadingOptions } from "./learned.ts";
import { TOKEN_FORMATS } from "./token-formats.ts";

/** How far before a number its word may be. */
const MAX_CONTEXT = 60;
const PRIVATE_KEY = "PRIVATE KEY";
const KEY_BEGINS = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_END = /-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;
/** A key that is shown without its characters: "ghp_xxxxxxxxxxxx", "Bearer YOUR_KEY". */
const CROSSED_OUT = /x{8}|X{8}|^your[_-]/i;
/** The lines of a key whose end is missing. */
const KEY_LINES = /[A-Za-z0-9+/=\s\\:,-]*/y;

/**
 * Returns the secrets of a text in order, without overlaps: keys and tokens by their form, card, account and identity
 * numbers with their check digits, and what `findLearned` takes for passwords, codes and keys. Linear in the length of the text.
 */
export function findSecrets(text: string, options?: ReadingOptions): FoundSecret[] {
  const found = [...findExact(text), ...findLearned(text, options)];
  return found.length === 0 ? found : withoutOverlaps(found);
}

/** Returns what has a form of its own: private keys, keys and tokens, and numbers with check digits. */
export function findExact(text: string): FoundSecret[] {
  return [...findPrivateKeys(text), ...findTokens(text), ...findAllNumbers(text)];
}

function* findPrivateKeys(text: string): Generator<FoundSecret> {
  if (!text.includes(PRIVATE_KEY)) return;
  KEY_BEGINS.lastIndex = 0;
  for (let begin = KEY_BEGINS.exec(text); begin; begin = KEY_BEGINS.exec(text)) {
    KEY_LINES.lastIndex = KEY_BEGINS.lastIndex;
    KEY_LINES.exec(text);
    // The lines also match the dashes before "END".
    const dashes = text.indexOf("-----END", Math.max(KEY_BEGINS.lastIndex, KEY_LINES.lastIndex - 12));
    KEY_END.lastIndex = dashes === -1 || dashes > KEY_LINES.lastIndex ? text.length : dashes;
    const end = KEY_END.test(text) ? KEY_END.lastIndex : KEY_LINES.lastIndex;
    yield { type: "private_key", start: begin.index, end: Math.max(end, begin.index + begin[0].length) };
    KEY_BEGINS.lastIndex = Math.max(end, KEY_BEGINS.lastIndex);
  }
}

function* findTokens(text: string): Generator<FoundSecret> {
  for (const { type, hints, pattern } of TOKEN_FORMATS) {
    if (!hints.some((hint) => text.includes(hint))) continue;
    for (const { index: start, 0: value } of text.matchAll(pattern)) {
      const isPlaceholder = CROSSED_OUT.test(value) || (type === "password" && isName(value));
      if (!isPlaceholder) yield { type, start, end: start + value.length };
    }
  }
}

/** Whether a value is a name of code or a placeholder, whose parts are plain words and one of them means a password. */
function isName(value: string): boolean {
  const parts = value.toLowerCase().split(/[-_.]/);
  return parts.every((part) => /^\p{L}+$/u.test(part)) && parts.some((part) => cuesOf(part) & PASSWORDS);
}

function* findAllNumbers(text: string): Generator<FoundSecret> {
  if (mayHaveNumber(text)) for (const format of NUMBER_FORMATS) yield* findNumbers(text, format);
}

function* findNumbers(text: string, format: NumberFormat): Generator<FoundSecret> {
  const { type, pattern, context } = format;
  for (const { index: start, 0: match } of text.matchAll(pattern)) {
    const length = validLength(match, format);
    if (length === undefined) continue;
    const before = text.slice(Math.max(0, start - MAX_CONTEXT), start);
    if (OTHER_NUMBERS.test(before) || (context && !context.test(before))) continue;
    yield { type, start, end: start + length };
  }
}

/** How much of a match is the number; undefined if its check digits are wrong. */
function validLength(match: string, { lengthsOf, isValid = () => true }: NumberFormat): number | undefined {
  const compact = match.replace(/[^0-9A-Za-z]/g, "").toUpperCase();
  for (const length of lengthsOf?.(compact) ?? [compact.length]) {
    if (length <= compact.length && isValid(compact.slice(0, length))) return lengthIn(match, length);
  }
  return undefined;
}

/** The length of the part of a match that has so many digits and letters. */
function lengthIn(match: string, count: number): number {
  let seen = 0;
  for (let index = 0; index < match.length; index++) {
    if (/[0-9A-Za-z]/.test(match[index] ?? "")) seen += 1;
    if (seen === count) return index + 1;
  }
  return match.length;
}

/** Joins secrets that overlap under the type that was found first: formats name a type better than words do. */
function withoutOverlaps(found: FoundSecret[]): FoundSecret[] {
  const joined: (FoundSecret & { rank: number })[] = [];
  const ranked = found.map((secret, rank) => ({ ...secret, rank }));
  for (const secret of ranked.sort((one, other) => one.start - other.start || one.rank - other.rank)) {
    const last = joined.at(-1);
    if (last === undefined || secret.start >= last.end) joined.push(secret);
    else {
      last.end = Math.max(last.end, secret.end);
      if (secret.rank < last.rank) [last.type, last.rank] = [secret.type, secret.rank];
    }
  }
  return joined.map(({ type, start, end }) => ({ type, start, end }));
}
