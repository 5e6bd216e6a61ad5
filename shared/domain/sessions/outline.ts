import { alternatives } from "../../language/languages/lists.ts";
import { THE_ASSISTANT } from "../../language/statements/speakers.ts";
import { readCondensable } from "../compression/condensing/condense.ts";
import { retentionOf } from "../compression/condensing/salience.ts";
import type { TokenCounter } from "../compression/condensing/tokens.ts";
import { bySalience, condenseTo, type Gist, type KeyPoint } from "../compression/gist.ts";
import { quote, type SummarySentence } from "./sentences.ts";

/** Minimum and maximum length of key points. */
const MIN_WORDS = 4;
const MAX_CHARACTERS = 400;
/** Minimum information of a sentence, as a share of the best one's. */
const MIN_SHARE = 0.15;
/** Balance between filling the space (1) and information per sentence (0). */
const LENGTH_EXPONENT = 0.7;
/** Minimum tokens of a sentence: with less room left, the outline is full. */
const MIN_TOKENS = 4;
/** Weight of assistants' statements relative to users'. */
const ASSISTANT_WEIGHT = 0.6;
/** Weights of other sentences, relative to a plain statement. */
const INSTRUCTION_WEIGHT = 1.6;
const CHANGE_WEIGHT = 1.4;
const QUESTION_WEIGHT = 1.2;
/** Words of decisions, starts and ends. */
const CHANGE = new RegExp(`(?<!\\p{L})(?:${alternatives(({ outlines }) => outlines?.changes)})(?!\\p{L})`, "iu");

/**
 * Returns the most informative sentences in order in at most `most` tokens, and key points; cuts one only if none fits.
 */
export function outline(
  all: SummarySentence[],
  { most, points }: { most: number; points: number },
  tokens: TokenCounter,
): Gist & { key_points: KeyPoint[] } {
  const whole = all.map(({ text }) => text).join("\n");
  const read = readCondensable(whole, tokens);
  const { lines, weights } = read;
  const salient = all.map((each, position) => {
    const { label, sentences } = lines[position] ?? { label: { words: [] }, sentences: [] };
    return { words: [...label.words, ...sentences.flatMap(({ words }) => words)], factor: factorOf(each) };
  });
  const chosen = new Selection(most, tokens);
  const keyPoints: (KeyPoint & { position: number })[] = [];
  let best = 0;
  for (const { position, score } of bySalience(salient, weights, LENGTH_EXPONENT)) {
    best = Math.max(best, score);
    const each = all[position];
    if (each === undefined || score < MIN_SHARE * best) break;
    chosen.add(position, each);
    if (isKeyPoint(each) && keyPoints.length < points) keyPoints.push({ text: each.text, score, position });
    if (chosen.isFull && keyPoints.length >= points) break;
  }
  keyPoints.sort((one, other) => one.position - other.position);
  const text = chosen.render();
  const gist =
    text === "" && most > 0
      ? condenseTo(whole, most, tokens, read)
      : { text, tokens: tokens.count(text), retention: retentionOf(weights, text) };
  return { ...gist, key_points: keyPoints.map(({ text, score }) => ({ text, score })) };
}

/** The chosen sentences in order, as long as they fit; consecutive quotations of one speaker are merged. */
class Selection {
  readonly #chosen: { position: number; sentence: SummarySentence }[] = [];
  readonly #tokens: TokenCounter;
  readonly #most: number;
  #room: number;

  constructor(most: number, tokens: TokenCounter) {
    this.#most = most;
    this.#room = most;
    this.#tokens = tokens;
  }

  get isFull(): boolean {
    return this.#room < MIN_TOKENS;
  }

  add(position: number, sentence: SummarySentence): void {
    if (this.isFull) return;
    const next = this.#chosen.findIndex((each) => each.position > position);
    const index = next === -1 ? this.#chosen.length : next;
    const neighbours = [this.#chosen[index - 1]?.sentence, this.#chosen[index]?.sentence];
    const frames = framesOf([neighbours[0], sentence, neighbours[1]]) - framesOf(neighbours);
    const frame = sentence.quotation === undefined ? 0 : this.#tokens.count(quote(sentence.speaker, "said", ""));
    const size = this.#tokens.count(sentence.quotation ?? sentence.text) + 1 + frames * frame;
    if (size > this.#room) return;
    this.#room -= size;
    this.#chosen.splice(index, 0, { position, sentence });
  }

  render(): string {
    let text = rendered(this.#chosen.map(({ sentence }) => sentence));
    while (this.#chosen.length > 0 && this.#tokens.count(text) > this.#most) {
      this.#chosen.pop();
      text = rendered(this.#chosen.map(({ sentence }) => sentence));
    }
    return text;
  }
}

/** Returns the number of quotations in the text of consecutive sentences. */
function framesOf(all: (SummarySentence | undefined)[]): number {
  const sentences = all.filter((sentence) => sentence !== undefined);
  return sentences.filter(
    (sentence, index) => sentence.quotation !== undefined && !isJoined(sentences[index - 1], sentence),
  ).length;
}

function isJoined(one: SummarySentence | undefined, other: SummarySentence): boolean {
  if (one === undefined || one.speaker !== other.speaker || one.isQuestion || other.isQuestion) return false;
  return one.quotation !== undefined && other.quotation !== undefined;
}

/** Returns one line per sentence; consecutive quotations of one speaker share a line. */
export function joinedLines(all: SummarySentence[]): string[] {
  const lines: SummarySentence[] = [];
  for (const each of all) {
    const last = lines.at(-1);
    if (last !== undefined && isJoined(last, each)) lines[lines.length - 1] = joined(last, each);
    else lines.push(each);
  }
  return lines.map(({ text }) => text);
}

function joined(one: SummarySentence, other: SummarySentence): SummarySentence {
  const quotation = `${one.quotation} ${other.quotation}`;
  return { ...one, quotation, text: quote(one.speaker, "said", quotation) };
}

function rendered(all: SummarySentence[]): string {
  return joinedLines(all).join("\n");
}

function factorOf({ text, isQuestion, isLastingInstruction, speaker }: SummarySentence): number {
  return (
    (CHANGE.test(text) ? CHANGE_WEIGHT : 1) *
    (isQuestion ? QUESTION_WEIGHT : 1) *
    (isLastingInstruction ? INSTRUCTION_WEIGHT : 1) *
    (speaker === THE_ASSISTANT ? ASSISTANT_WEIGHT : 1)
  );
}

function isKeyPoint({ text, quotation = text, isQuestion }: SummarySentence): boolean {
  return !isQuestion && quotation.split(/\s+/, MIN_WORDS).length === MIN_WORDS && text.length <= MAX_CHARACTERS;
}
