import type { Lexicon, Sense, SenseKind, Senses, Unit } from "./lexicon.ts";
import { numberIn, type Token } from "./tokens.ts";

export interface Clock {
  hour: number;
  minute: number;
  half?: "am" | "pm" | undefined;
  /** The hour is one of 24, or the half of the day is said. */
  exact: boolean;
  /** Minutes east of UTC, where the text says a zone. */
  offset?: number | undefined;
  /** The end of a range of hours that begins here. */
  until?: Clock | undefined;
}

/** A date as the text says it, before it is resolved. */
export interface Expression {
  /** Its tokens: the first, and the one behind the last. */
  from: number;
  to: number;
  shape:
    | "day"
    | "month"
    | "year"
    | "weekday"
    | "partOfMonth"
    | "period"
    | "shift"
    | "span"
    | "season"
    | "quarter"
    | "decade"
    | "dayOfMonth"
    | "recurring"
    | "duration";
  year?: number | undefined;
  month?: number | undefined;
  day?: number | undefined;
  /** 0 for Monday. */
  weekday?: number | undefined;
  /** 0 for spring. */
  season?: number | undefined;
  /** Years from the anchor's: -1 for "去年の夏". */
  yearsAway?: number | undefined;
  /** -2 for the one before the last, -1 for the last, 0 for this, 1 for the next, NaN for the next one to come. */
  relative?: number | undefined;
  unit?: Unit | undefined;
  amount?: number | undefined;
  /** Counts from the date named before it, not from the anchor. */
  fromContext?: boolean;
  approximate?: boolean;
  /** "in three weeks", which is a duration in the past tense. */
  onlyAhead?: boolean;
  clock?: Clock | undefined;
  /** The end of a range that begins here. */
  end?: Expression | undefined;
}

/** A look at a text's tokens and what they mean. */
export class Reader {
  readonly tokens: Token[];
  readonly lexicon: Lexicon;
  readonly #senses: Senses;

  constructor(tokens: Token[], senses: Senses, lexicon: Lexicon) {
    this.tokens = tokens;
    this.#senses = senses;
    this.lexicon = lexicon;
  }

  /** The longest meaning of one of the kinds that begins at a place. */
  sense(place: number, ...kinds: SenseKind[]): Sense | undefined {
    return longest(this.#senses.from[place], kinds);
  }

  /** The longest one that ends before a place. */
  senseBefore(place: number, ...kinds: SenseKind[]): Sense | undefined {
    return longest(this.#senses.to[place], kinds);
  }

  hasSenses(place: number): boolean {
    return (this.#senses.from[place]?.length ?? 0) > 0;
  }

  /** The place behind the tokens of the kinds, at most three of them. */
  skip(place: number, ...kinds: SenseKind[]): number {
    let at = place;
    for (let count = 0; count < 3; count++) at += this.sense(at, ...kinds)?.length ?? 0;
    return at;
  }

  /** The place before the tokens of the kinds, at most two of them. */
  skipBack(place: number, ...kinds: SenseKind[]): number {
    let at = place;
    for (let count = 0; count < 2; count++) at -= this.senseBefore(at, ...kinds)?.length ?? 0;
    return at;
  }

  isMark(place: number, ...marks: string[]): boolean {
    const token = this.tokens[place];
    return token?.kind === "mark" && marks.includes(token.text);
  }

  /** A whole number up to `most` that is part of nothing else. */
  number(place: number, most = Number.MAX_SAFE_INTEGER): number | undefined {
    const token = this.tokens[place];
    if (token?.kind !== "number" || token.bound) return undefined;
    const value = numberIn(token.text);
    return value <= most ? value : undefined;
  }

  /** A year of four digits. */
  year(place: number): number | undefined {
    const value = this.tokens[place]?.text.length === 4 ? this.number(place, 2199) : undefined;
    return value !== undefined && value >= 1000 ? value : undefined;
  }

  isCapital(place: number): boolean {
    return /^\p{Lu}/u.test(this.tokens[place]?.text ?? "");
  }

  /** Directly behind the token before it. */
  isAttached(place: number): boolean {
    return this.tokens[place]?.spaced === false && place > 0;
  }

  opensSentence(place: number): boolean {
    const token = this.tokens[place];
    return (
      place === 0 ||
      token?.opensLine === true ||
      this.isMark(place - 1, ".", "!", "?", ":", "。", '"', "“", "(", "-", "•", "*")
    );
  }
}

function longest(senses: Sense[] | undefined, kinds: SenseKind[]): Sense | undefined {
  let best: Sense | undefined;
  for (const sense of senses ?? []) {
    if (kinds.includes(sense.kind) && sense.length > (best?.length ?? 0)) best = sense;
  }
  return best;
}
