import type { Span } from "../statements/spans.ts";

const SPACE = /\s/u;
/** Marks of quotation and dashes, which models write in another form than the text. */
const QUOTATION = /["'‘’‚“”„«»「」『』`´]/u;
const DASH = /[‐-―]/u;
/** Marks at the ends of a quote that the text need not have. */
const ENDS = /^[\s.,;:!?…。、！？]+|[\s.,;:!?…。、！？]+$/gu;
/** Maximum places of a quote that are looked at. */
const MAX_SPANS = 20;
const LETTER = /[\p{L}\p{N}]/u;
/** Scripts that write spaces between words, in which a quote does not begin or end within a word. */
const SPACED = /[^\P{L}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]|\p{N}/u;

/** A text in which words are found whatever their case, spaces, dashes and marks of quotation. */
export class Quotable {
  readonly #text: string;
  /** The position in the original text of each character, and its end. */
  readonly #positions: number[];

  constructor(text: string) {
    const { plain, positions } = plainOf(text);
    this.#text = plain;
    this.#positions = positions;
  }

  /** Returns the first places of a quote, as whole words. */
  findAll(quote: string): Span[] {
    const words = plainOf(quote).plain.replace(ENDS, "");
    if (!LETTER.test(words)) return [];
    const spans: Span[] = [];
    let at = this.#text.indexOf(words);
    for (; at !== -1 && spans.length < MAX_SPANS; at = this.#text.indexOf(words, at + 1)) {
      const end = at + words.length;
      if (this.#isWithinWord(at) || this.#isWithinWord(end)) continue;
      spans.push({ start: this.#positions[at] ?? 0, end: (this.#positions[end - 1] ?? 0) + 1 });
    }
    return spans;
  }

  has(quote: string): boolean {
    return this.findAll(quote).length > 0;
  }

  #isWithinWord(index: number): boolean {
    return SPACED.test(this.#text.charAt(index - 1)) && SPACED.test(this.#text.charAt(index));
  }
}

/** Returns a text in lower case with simple marks and single spaces, and the position of each of its characters. */
function plainOf(text: string): { plain: string; positions: number[] } {
  const positions: number[] = [];
  let plain = "";
  for (let index = 0; index < text.length; index++) {
    const own = text.charAt(index);
    const lower = own.toLowerCase();
    const written = SPACE.test(own) ? " " : QUOTATION.test(own) ? "'" : DASH.test(own) ? "-" : lower;
    if (written === " " && plain.endsWith(" ")) continue;
    // One character each, so that positions stay those of the text: the lower case of "İ" has two.
    plain += written.length === 1 ? written : own;
    positions.push(index);
  }
  return { plain, positions };
}
