import { logistic } from "../../kernel/math.ts";
import { withBrackets } from "../../kernel/text/brackets.ts";
import { MENTION_ACTS, type Mention, type MessageToRead } from "../../ports/fact-reader.ts";
import { INSTRUCTION } from "../slots/fact.ts";
import { type Labels, SIGNS } from "./labels.ts";
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
export type TokenPosition = (TextToken & { part: keyof MessageToRead }) | undefined;

const TAGS = 3;
const [OUTSIDE, BEGIN, INSIDE] = [0, 1, 2] as const;
const SPEAKER = 0;
/** The least share whose odds are told apart. */
const SMALLEST = 1e-4;
/** Between the parts of a word. */
const WITHIN_WORD = /^[-‑'’]+$/u;
const SENTENCE_END = /[.!?。！？\n]/u;
const QUESTION_MARK = /[?？]/u;
const QUOTATION_MARK = /["“„«「]/u;
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

/** A mention with what its confidence is computed from. */
export interface SignedMention extends Mention {
  signs: Signs;
}
type Signs = Record<(typeof SIGNS)[number], number>;

/** A mention before its confidence, with the shares of its decisions. */
type Decided = Omit<Mention, "confidence"> & { shares: Record<"inside" | "slot" | "act" | "about", number> };

/**
 * Reads the mentions of a window from the logits of a model: values are runs of words, their slot and act are the most
 * probable on average, and the subject is the token to which the first token of the value points.
 */
export function mentionsIn(
  logits: ReaderLogits,
  positions: readonly TokenPosition[],
  message: MessageToRead,
  labels: Labels,
): SignedMention[] {
  const words = wordsOf(logits, positions, message);
  const decided: Decided[] = [];
  for (let from = 0; from < words.length; ) {
    const run = runFrom(words, from);
    const mention = run.length === 0 ? undefined : decide(logits, run, positions, message, labels);
    const last = decided.at(-1);
    if (mention !== undefined && last !== undefined && isOneValue(last, mention, message))
      decided[decided.length - 1] = joined(last, mention);
    else if (mention !== undefined) decided.push(mention);
    from += Math.max(1, run.length);
  }
  const context = contextOf(decided, positions, message);
  return decided.map(({ shares, ...mention }) => {
    const signs = signsOf({ ...mention, shares }, context);
    return { ...mention, signs, confidence: confidenceOf(signs, mention, labels) };
  });
}

/** Whether two runs are one value: a word that a hyphen splits, words beside each other, or an instruction's parts. */
function isOneValue(one: Decided, next: Decided, message: MessageToRead): boolean {
  if (one.part !== next.part) return false;
  const between = message[one.part].slice(one.end, next.start);
  if (WITHIN_WORD.test(between)) return true;
  if (one.slot !== next.slot || one.act !== next.act) return false;
  return between.trim() === "" || (one.slot === INSTRUCTION && !SENTENCE_END.test(between));
}

/** Returns one mention for two, decided as the longer one. */
function joined(one: Decided, next: Decided): Decided {
  const longer = one.end - one.start >= next.end - next.start ? one : next;
  return { ...longer, start: one.start, end: next.end };
}

/** What the mentions of a window have in common. */
interface Context {
  mentions: readonly Decided[];
  counts: Map<string, number>;
  /** The highest shares of being a value, at most two. */
  surest: number[];
  isAsked: boolean;
  isQuoting: boolean;
}

function contextOf(mentions: readonly Decided[], positions: readonly TokenPosition[], message: MessageToRead): Context {
  const own = positions.filter((position) => position?.part === "text");
  const text = message.text.slice(own[0]?.start ?? 0, own.at(-1)?.end ?? 0);
  const counts = new Map<string, number>();
  for (const { slot } of mentions) counts.set(slot, (counts.get(slot) ?? 0) + 1);
  const surest = mentions.map(({ shares }) => shares.inside).sort((a, b) => b - a);
  return { mentions, counts, surest, isAsked: QUESTION_MARK.test(text), isQuoting: QUOTATION_MARK.test(text) };
}

function signsOf({ part, start, end, slot, subject, shares }: Decided, context: Context): Signs {
  const { mentions, counts, surest, isAsked, isQuoting } = context;
  const [first = 0, second = 0] = surest;
  return {
    inside: odds(shares.inside),
    slot: odds(shares.slot),
    act: odds(shares.act),
    about: odds(shares.about),
    all: shares.inside * shares.slot * shares.act * shares.about,
    before: Number(part === "before"),
    subject: Number(subject !== undefined),
    length: Math.log(1 + end - start),
    count: Math.log(mentions.length),
    same: (counts.get(slot) ?? 1) - 1,
    others: shares.inside === first ? second : first,
    asked: Number(isAsked),
    quoting: Number(isQuoting),
  };
}

/** Returns how likely a mention is right. */
function confidenceOf(signs: Signs, { slot, act }: Pick<Mention, "slot" | "act">, labels: Labels): number {
  const { bias, signs: weights, slots, acts } = labels.confidence;
  const own = bias + (slots[labels.slots.indexOf(slot)] ?? 0) + (acts[labels.acts.indexOf(act)] ?? 0);
  return logistic(SIGNS.reduce((sum, sign) => sum + weights[sign] * signs[sign], own));
}

function odds(share: number): number {
  return Math.log(Math.max(share, SMALLEST) / Math.max(1 - share, SMALLEST));
}

/** Groups tokens into words: those that no space separates; other characters, and scripts without spaces, stand alone. */
function wordsOf(logits: ReaderLogits, positions: readonly TokenPosition[], message: MessageToRead): Word[] {
  const groups: number[][] = [];
  let last: TokenPosition;
  for (const [token, position] of positions.entries()) {
    if (position === undefined || position.start === position.end) continue;
    const text = message[position.part];
    const isJoined =
      last?.part === position.part &&
      last.end === position.start &&
      SPACED.test(text[position.start - 1] ?? "") &&
      SPACED.test(text[position.start] ?? "");
    if (isJoined) groups.at(-1)?.push(token);
    else groups.push([token]);
    last = position;
  }
  return groups.map((tokens) => {
    const tags = tokens.map((token) => softmax(logits.value, token, TAGS));
    const [first] = tags;
    return {
      tokens,
      part: positions[tokens[0] ?? 0]?.part ?? "text",
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

function decide(
  logits: ReaderLogits,
  run: readonly Word[],
  positions: readonly TokenPosition[],
  message: MessageToRead,
  labels: Labels,
): Decided | undefined {
  const tokens = run.flatMap((word) => word.tokens);
  const [from = 0] = tokens;
  const [first, last] = [positions[from], positions[tokens.at(-1) ?? 0]];
  if (first === undefined || last === undefined) return undefined;
  const { start, end } = trimmed(message[first.part], first.start, last.end);
  if (!/[\p{L}\p{N}]/u.test(message[first.part].slice(start, end))) return undefined;
  const slot = best(meanOf(logits.slot, tokens, labels.slots.length));
  const act = best(meanOf(logits.act, tokens, MENTION_ACTS.length));
  const about = best(softmax(logits.about, from, positions.length));
  const inside = 1 - Math.max(...run.map(({ outside }) => outside));
  return {
    part: first.part,
    start,
    end,
    slot: labels.slots[slot.index] ?? "",
    act: MENTION_ACTS[act.index] ?? "state",
    subject: about.index === SPEAKER ? undefined : subjectAt(logits.who, about.index, positions, message),
    shares: { inside, slot: slot.share, act: act.share, about: about.share },
  };
}

/** Returns the words of the subject that begins at a token. */
function subjectAt(who: Float32Array, token: number, positions: readonly TokenPosition[], message: MessageToRead) {
  const first = positions[token];
  if (first === undefined) return undefined;
  let last = first;
  for (let next = token + 1; ; next++) {
    const position = positions[next];
    if (position?.part !== first.part || best(softmax(who, next, TAGS)).index !== INSIDE) break;
    last = position;
  }
  const text = message[first.part];
  let [start, end] = [first.start, last.end];
  // The model may point into a word.
  while (start > 0 && SPACED.test(text[start] ?? "") && SPACED.test(text[start - 1] ?? "")) start--;
  while (end < text.length && SPACED.test(text[end - 1] ?? "") && SPACED.test(text[end] ?? "")) end++;
  const subject = text.slice(start, end).trim();
  return subject === "" ? undefined : subject;
}

/** A value in parentheses: an age behind a name. */
const PARENTHESIZED = /^\([^()]*\)$/u;
/** What separates a value from others: "29, vet nurse". */
const SEPARATOR = /[\s,;:，；：、]/u;

/** Returns where a value begins and ends without the separators and parentheses around it. */
function trimmed(text: string, start: number, end: number) {
  const value = text.slice(start, end);
  let [from, to] = [0, value.length];
  while (from < to && SEPARATOR.test(value[from] ?? "")) from++;
  while (to > from && SEPARATOR.test(value[to - 1] ?? "")) to--;
  const around = PARENTHESIZED.test(value.slice(from, to)) ? 1 : 0;
  return withBrackets(text, start + from + around, start + to - around);
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
