import type { Lexicon, Sense, SenseKind, Senses, Unit } from "./lexicon.ts";
import { numberIn, type Token } from "./tokens.ts";

export interface Clock {
  hour: number;
  minute: number;
  meridiem?: "am" | "pm" | undefined;
  /** Whether the hour is unambiguous: on the 24-hour clock, or with am or pm. */
  exact: boolean;
  /** Minutes east of UTC, if the text names a zone. */
  offset?: number | undefined;
  /** The end of a range of hours that starts here. */
  until?: Clock | undefined;
}

/** A date as written, before it is resolved. */
export interface Expression {
  /** Index of its first token; `to` is the index after its last token. */
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
  /** Years relative to the anchor's year: -1 for "去年の夏". */
  yearsAway?: number | undefined;
  /** -2 for the one before the last, -1 for the last, 0 for this, 1 for the next, NaN for the next upcoming one. */
  relative?: number | undefined;
  unit?: Unit | undefined;
  amount?: number | undefined;
  /** Whether it is relative to the previous date in the text, not to the anchor. */
  fromContext?: boolean;
  approximate?: boolean;
  /** Whether it is a date only outside the past tense: "in three weeks" may also be a duration. */
  onlyAhead?: boolean;
  clock?: Clock | undefined;
  /** The end of a range that starts here. */
  end?: Expression | undefined;
}

/** Access to a text's tokens and their meanings. */
export class Reader {
  readonly tokens: Token[];
  readonly lexicon: Lexicon;
  readonly #senses: Senses;

  constructor(tokens: Token[], senses: Senses, lexicon: Lexicon) {
    this.tokens = tokens;
    this.#senses = senses;
    this.lexicon = lexicon;
  }

  /** Returns the longest sense of one of the kinds that starts at a position. */
  sense(index: number, ...kinds: SenseKind[]): Sense | undefined {
    return longest(this.#senses.from[index], kinds);
  }

  /** Returns the longest sense of one of the kinds that ends before a position. */
  senseBefore(index: number, ...kinds: SenseKind[]): Sense | undefined {
    return longest(this.#senses.to[index], kinds);
  }

  hasSenses(index: number): boolean {
    return (this.#senses.from[index]?.length ?? 0) > 0;
  }

  /** Returns the position after at most three senses of the kinds. */
  skip(index: number, ...kinds: SenseKind[]): number {
    let at = index;
    for (let count = 0; count < 3; count++) at += this.sense(at, ...kinds)?.length ?? 0;
    return at;
  }

  /** Returns the position before at most two senses of the kinds. */
  skipBack(index: number, ...kinds: SenseKind[]): number {
    let at = index;
    for (let count = 0; count < 2; count++) at -= this.senseBefore(at, ...kinds)?.length ?? 0;
    return at;
  }

  isMark(index: number, ...marks: string[]): boolean {
    const token = this.tokens[index];
    return token?.kind === "mark" && marks.includes(token.text);
  }

  /** Returns a whole number up to `max` that is not part of something else, or undefined. */
  number(index: number, max = Number.MAX_SAFE_INTEGER): number | undefined {
    const token = this.tokens[index];
    if (token?.kind !== "number" || token.bound) return undefined;
    const value = numberIn(token.text);
    return value <= max ? value : undefined;
  }

  /** Returns a four-digit year, or undefined. */
  year(index: number): number | undefined {
    const value = this.tokens[index]?.text.length === 4 ? this.number(index, 2199) : undefined;
    return value !== undefined && value >= 1000 ? value : undefined;
  }

  isCapital(index: number): boolean {
    return /^\p{Lu}/u.test(this.tokens[index]?.text ?? "");
  }

  /** Whether a token is the name of a month or weekday, and also another word. */
  isAmbiguous(index: number): boolean {
    return this.lexicon.ambiguous.has(this.tokens[index]?.lower ?? "");
  }

  /** Whether no white space separates the token from the one before it. */
  isAttached(index: number): boolean {
    return this.tokens[index]?.spaced === false && index > 0;
  }

  opensSentence(index: number): boolean {
    const token = this.tokens[index];
    return (
      index === 0 ||
      token?.opensLine === true ||
      this.isMark(index - 1, ".", "!", "?", ":", "。", '"', "“", "(", "-", "•", "*")
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

/** Reads a date of one form that starts at a position. */
export type Rule = (reader: Reader, index: number, context: RuleContext) => Expression | undefined;

export interface RuleContext {
  dayFirst: boolean;
  /** Where the previous date in this line ends; 0 if it is in an earlier line, undefined if there is none. */
  previousEnd: number | undefined;
}
