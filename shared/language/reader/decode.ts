import { logistic } from "../../kernel/math.ts";
import { MENTION_ACTS, type Mention, type MessageToRead } from "../../ports/fact-reader.ts";
import type { Labels } from "./labels.ts";
import type { TextToken } from "./windows.ts";

/** Logits of one window, each token's after the other's. */
export interface ReaderLogits {
  /** Outside, begin, inside a value, and the same of subjects. */
  value: Float32Array;
  who: Float32Array;
  slot: Float32Array;
  act: Float32Array;
  /** From each token to each token: whom its value is about; the first token stands for the speaker. */
  about: Float32Array;
}

/** Where each token of a window stands; undefined for the special ones. */
export type TokenPlace = (TextToken & { part: keyof MessageToRead }) | undefined;

const TAGS = 3;
/** Mentions below this share of the least confidence of a fact are noise rather than doubt. */
const UNSURE_SHARE = 5 / 6;
const [OUTSIDE, BEGIN, INSIDE] = [0, 1, 2] as const;
const SPEAKER = 0;
/** The least share whose odds are told apart. */
const SMALLEST = 1e-4;
/** Letters and digits of scripts that write spaces between words. */
const SPACED = /[^\P{L}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[\p{M}\p{N}]/u;

/** A word of a window by its tokens, with what the model says of it. */
interface Word {
  tokens: number[];
  part: keyof MessageToRead;
  /** Probability that it is no part of a value. */
  outside: number;
  begins: boolean;
}

/**
 * Reads the mentions of a window from the logits of a model: values are runs of words, their slot and act are the most
 * probable on average, and the subject is the token to which the first token of the value points.
 */
export function mentionsIn(
  logits: ReaderLogits,
  places: readonly TokenPlace[],
  message: MessageToRead,
  labels: Labels,
): Mention[] {
  const words = wordsOf(logits, places, message);
  const mentions: Mention[] = [];
  for (let from = 0; from < words.length; ) {
    const run = runFrom(words, from);
    const mention = run.length === 0 ? undefined : mentionOf(logits, run, places, message, labels);
    if (mention !== undefined) mentions.push(mention);
    from += Math.max(1, run.length);
  }
  return mentions;
}

/** Groups tokens into words: those that no space separates; other characters, and scripts without spaces, stand alone. */
function wordsOf(logits: ReaderLogits, places: readonly TokenPlace[], message: MessageToRead): Word[] {
  const groups: number[][] = [];
  let last: TokenPlace;
  for (const [token, place] of places.entries()) {
    if (place === undefined || place.start === place.end) continue;
    const text = message[place.part];
    const isJoined =
      last?.part === place.part &&
      last.end === place.start &&
      SPACED.test(text[place.start - 1] ?? "") &&
      SPACED.test(text[place.start] ?? "");
    if (isJoined) groups.at(-1)?.push(token);
    else groups.push([token]);
    last = place;
  }
  return groups.map((tokens) => {
    const tags = tokens.map((token) => softmax(logits.value, token, TAGS));
    const [first] = tags;
    return {
      tokens,
      part: places[tokens[0] ?? 0]?.part ?? "text",
      outside: tags.reduce((sum, tag) => sum + (tag[OUTSIDE] ?? 0), 0) / tags.length,
      begins: (first?.[BEGIN] ?? 0) > (first?.[INSIDE] ?? 0),
    };
  });
}

/** Returns the words of the value that begins with a word; none if none begins there. */
function runFrom(words: readonly Word[], from: number): Word[] {
  const isOf = (word: Word | undefined) => word !== undefined && word.outside <= 0.5;
  if (!isOf(words[from])) return [];
  let to = from + 1;
  while (isOf(words[to]) && words[to]?.begins === false && words[to]?.part === words[from]?.part) to++;
  return words.slice(from, to);
}

function mentionOf(
  logits: ReaderLogits,
  run: readonly Word[],
  places: readonly TokenPlace[],
  message: MessageToRead,
  labels: Labels,
): Mention | undefined {
  const tokens = run.flatMap((word) => word.tokens);
  const [from = 0] = tokens;
  const [first, last] = [places[from], places[tokens.at(-1) ?? 0]];
  if (first === undefined || last === undefined) return undefined;
  const slot = best(meanOf(logits.slot, tokens, labels.slots.length));
  const act = best(meanOf(logits.act, tokens, MENTION_ACTS.length));
  const about = best(softmax(logits.about, from, places.length));
  const inside = 1 - Math.max(...run.map(({ outside }) => outside));
  const decided = { inside, slot: slot.share, act: act.share, about: about.share };
  const confidence = confidenceOf(decided, slot.index, act.index, labels.confidence);
  const { start, end } = trimmed(message[first.part], first.start, last.end);
  if (confidence < labels.least * UNSURE_SHARE || !/[\p{L}\p{N}]/u.test(message[first.part].slice(start, end)))
    return undefined;
  return {
    part: first.part,
    start,
    end,
    slot: labels.slots[slot.index] ?? "",
    act: MENTION_ACTS[act.index] ?? "state",
    subject: about.index === SPEAKER ? undefined : subjectAt(logits.who, about.index, places, message),
    confidence,
  };
}

/** Returns how likely a mention is right, by the shares of its decisions. */
function confidenceOf(
  shares: Labels["confidence"]["decisions"],
  slot: number,
  act: number,
  { bias, decisions, slots, acts }: Labels["confidence"],
): number {
  const odds = (share: number) => Math.log(Math.max(share, SMALLEST) / Math.max(1 - share, SMALLEST));
  const own = bias + (slots[slot] ?? 0) + (acts[act] ?? 0);
  const { inside, slot: ofSlot, act: ofAct, about } = shares;
  return logistic(
    own +
      decisions.inside * odds(inside) +
      decisions.slot * odds(ofSlot) +
      decisions.act * odds(ofAct) +
      decisions.about * odds(about),
  );
}

/** Returns the words of the subject that begins at a token. */
function subjectAt(who: Float32Array, token: number, places: readonly TokenPlace[], message: MessageToRead) {
  const first = places[token];
  if (first === undefined) return undefined;
  let last = first;
  for (let next = token + 1; ; next++) {
    const place = places[next];
    if (place?.part !== first.part || best(softmax(who, next, TAGS)).index !== INSIDE) break;
    last = place;
  }
  const text = message[first.part];
  let [start, end] = [first.start, last.end];
  // The model may point into a word.
  while (start > 0 && SPACED.test(text[start] ?? "") && SPACED.test(text[start - 1] ?? "")) start--;
  while (end < text.length && SPACED.test(text[end - 1] ?? "") && SPACED.test(text[end] ?? "")) end++;
  const subject = text.slice(start, end).trim();
  return subject === "" ? undefined : subject;
}

function trimmed(text: string, start: number, end: number) {
  const value = text.slice(start, end);
  return { start: start + value.length - value.trimStart().length, end: end - (value.length - value.trimEnd().length) };
}

/** Returns the probabilities of one token. */
function softmax(logits: Float32Array, token: number, count: number): Float64Array {
  const own = logits.subarray(token * count, (token + 1) * count);
  const max = own.reduce((most, logit) => Math.max(most, logit), Number.NEGATIVE_INFINITY);
  const powers = Float64Array.from(own, (logit) => Math.exp(logit - max));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

/** Returns the mean probabilities of some tokens. */
function meanOf(logits: Float32Array, tokens: readonly number[], count: number): Float64Array {
  const sum = new Float64Array(count);
  for (const token of tokens)
    for (const [index, share] of softmax(logits, token, count).entries()) sum[index] = (sum[index] ?? 0) + share;
  return sum.map((total) => total / tokens.length);
}

function best(shares: Float64Array): { index: number; share: number } {
  let index = 0;
  for (let other = 1; other < shares.length; other++) if ((shares[other] ?? 0) > (shares[index] ?? 0)) index = other;
  return { index, share: shares[index] ?? 0 };
}
