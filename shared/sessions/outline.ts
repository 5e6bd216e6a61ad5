import { readCondensable } from "../compression/condense.ts";
import { bySalience, condenseTo, type Gist, type KeyPoint } from "../compression/gist.ts";
import { retentionOf } from "../compression/salience.ts";
import type { TokenCounter } from "../compression/tokens.ts";
import { THE_ASSISTANT } from "../memory/extraction/speakers.ts";
import { quote, type Told } from "./sentences.ts";

/** What is shorter is no key point, and what is longer is none. */
const LEAST_WORDS = 4;
const LONGEST_CHARACTERS = 400;
/** What says less than this share of what the best one says is left out. */
const LEAST_SHARE = 0.3;
/** Between what fills the room best (1) and what says most in one sentence (0). */
const LENGTH_EXPONENT = 0.7;
/** No sentence is shorter. */
const LEAST_TOKENS = 4;
/** How much what is said counts, beside a statement of the user's. */
const OF_ASSISTANT = 0.6;
const OF_WISH = 1.6;
const OF_CHANGE = 1.4;
const OF_QUESTION = 1.2;
const OF_NAMED = 1.5;
/** Words of what is decided, begins or ends. */
const CHANGE =
  /(?<!\p{L})(?:leav(?:e|es|ing)|left|mov(?:e|es|ed|ing)|chang(?:e|es|ed)|becomes?|became|cancel(?:s|led|ed)?|gone|g(?:i|a)ven? up|back (?:to|in)|drop(?:s|ped|ping)?|not having|won't|allerg\p{L}+|reacted|reaction|no longer|anymore|instead|as of|died|dead|decided|agreed|accepted|rejected|approved|granted|signed|sold|bought|quit|stopp(?:ed|ing)|new|starts?|started|deadline|due|nicht mehr|abgesagt|gekündigt|storniert|gestorben|verstorben|neue?[nrs]?|umgezogen|ya no|nuev[oa]|cancelad[oa]|murió|annulée?|nouve(?:au|lle))(?!\p{L})/iu;

export interface Outline extends Gist {
  key_points: KeyPoint[];
}

/**
 * The sentences that say most, whole and in their order, in at most `most` tokens, and at most so many of the statements as
 * key points. Cuts a sentence only where none fits.
 */
export function outline(
  told: Told[],
  { most, points }: { most: number; points: number },
  tokens: TokenCounter,
): Outline {
  const whole = told.map(({ text }) => text).join("\n");
  const { lines, weights } = readCondensable(whole, tokens);
  const salient = told.map((each, place) => {
    const { label, sentences } = lines[place] ?? { label: { words: [] }, sentences: [] };
    return { words: [...label.words, ...sentences.flatMap(({ words }) => words)], factor: factorOf(each) };
  });
  const chosen = new Selection(most, tokens);
  const keyPoints: (KeyPoint & { place: number })[] = [];
  let best = 0;
  for (const { place, score } of bySalience(salient, weights, LENGTH_EXPONENT)) {
    best = Math.max(best, score);
    const each = told[place];
    if (each === undefined || score < LEAST_SHARE * best) break;
    chosen.add(place, each);
    if (isKeyPoint(each) && keyPoints.length < points) keyPoints.push({ text: each.text, score, place });
    if (chosen.isFull && keyPoints.length >= points) break;
  }
  keyPoints.sort((one, other) => one.place - other.place);
  const text = chosen.render();
  const gist =
    text === "" && most > 0
      ? condenseTo(whole, most, tokens)
      : { text, tokens: tokens.count(text), retention: retentionOf(weights, text) };
  return { ...gist, key_points: keyPoints.map(({ text, score }) => ({ text, score })) };
}

/** Sentences in their order, as far as they fit; what one speaker is quoted with in a row is one quotation. */
class Selection {
  readonly #chosen: { place: number; told: Told }[] = [];
  readonly #tokens: TokenCounter;
  readonly #most: number;
  #room: number;

  constructor(most: number, tokens: TokenCounter) {
    this.#most = most;
    this.#room = most;
    this.#tokens = tokens;
  }

  get isFull(): boolean {
    return this.#room < LEAST_TOKENS;
  }

  add(place: number, told: Told): void {
    if (this.isFull) return;
    const at = this.#chosen.findIndex((each) => each.place > place);
    const end = at === -1 ? this.#chosen.length : at;
    const neighbours = [this.#chosen[end - 1]?.told, this.#chosen[end]?.told];
    const frames = framesOf([neighbours[0], told, neighbours[1]]) - framesOf(neighbours);
    const frame = told.quotation === undefined ? 0 : this.#tokens.count(quote(told.speaker, "said", ""));
    const size = this.#tokens.count(told.quotation ?? told.text) + 1 + frames * frame;
    if (size > this.#room) return;
    this.#room -= size;
    this.#chosen.splice(end, 0, { place, told });
  }

  render(): string {
    let text = rendered(this.#chosen.map(({ told }) => told));
    while (this.#chosen.length > 0 && this.#tokens.count(text) > this.#most) {
      this.#chosen.pop();
      text = rendered(this.#chosen.map(({ told }) => told));
    }
    return text;
  }
}

/** How many quotations sentences in a row make. */
function framesOf(told: (Told | undefined)[]): number {
  const known = told.filter((each) => each !== undefined);
  return known.filter((each, place) => each.quotation !== undefined && !isJoined(known[place - 1], each)).length;
}

function isJoined(one: Told | undefined, other: Told): boolean {
  return (
    one?.quotation !== undefined &&
    other.quotation !== undefined &&
    one.speaker === other.speaker &&
    !one.isQuestion &&
    !other.isQuestion
  );
}

function rendered(told: Told[]): string {
  const lines: Told[] = [];
  for (const each of told) {
    const last = lines.at(-1);
    if (last !== undefined && isJoined(last, each)) {
      const quotation = `${last.quotation} ${each.quotation}`;
      lines[lines.length - 1] = { ...last, quotation, text: quote(last.speaker, "said", quotation) };
    } else lines.push(each);
  }
  return lines.map(({ text }) => text).join("\n");
}

function factorOf({ text, isQuestion, isNamed, isWish, speaker }: Told): number {
  return (
    (CHANGE.test(text) ? OF_CHANGE : 1) *
    (isQuestion ? OF_QUESTION : 1) *
    (isNamed ? OF_NAMED : 1) *
    (isWish ? OF_WISH : 1) *
    (speaker === THE_ASSISTANT ? OF_ASSISTANT : 1)
  );
}

function isKeyPoint({ text, quotation = text, isQuestion }: Told): boolean {
  return !isQuestion && quotation.split(/\s+/, LEAST_WORDS).length === LEAST_WORDS && text.length <= LONGEST_CHARACTERS;
}
