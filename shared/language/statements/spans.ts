/** A range of a text in UTF-16 units. */
export interface Span {
  start: number;
  end: number;
}

/** Invisible control and formatting characters; line breaks, tabs and joiners belong to words and emoji. */
const UNREADABLE = /[[\p{Cc}\p{Cf}\ufffd]--[\n\r\t\u200c\u200d]]+/gv;
/** Maximum characters and words from one sentence to the next. */
const MAX_DISTANCE = 4_000;
const MAX_WORDS_BETWEEN = 600;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** Longer words in a sentence's range are the sentence's; shorter ones may be numbers and marks of items. */
const MAX_MARK = 2;
/** Punctuation that belongs to a sentence before it. */
const CLOSING = /[^\s\p{L}\p{M}\p{N}|]/u;
const MAX_CLOSING = 4;
const OPENING = /["'“‘«(¿¡[]/u;

/** Returns the start of a text as the rules read it: without invisible characters, with straight apostrophes. */
export function readableText(content: string, maxCharacters: number): string {
  return content.slice(0, maxCharacters).toWellFormed().replace(UNREADABLE, "").replaceAll("’", "'");
}

/** Finds where a content says what was read from it, in order: each search starts at the start of the last one. */
export class SpanFinder {
  readonly #text: string;
  /** The position of each unit of the readable text in the content; undefined if nothing was removed. */
  readonly #positions: number[] | undefined;
  #from = 0;
  #words: (Span & { word: string })[] | undefined;

  constructor(content: string, readable: string) {
    this.#text = readable;
    this.#positions = content.length === readable.length ? undefined : positionsIn(content, readable);
  }

  /**
   * Returns the span of a sentence. If it joins lines or names columns and headings, which the content has elsewhere, it
   * is the longest run of its words in the content.
   */
  find(sentence: string): Span {
    const exact = this.#text.slice(this.#from, this.#from + MAX_DISTANCE).indexOf(sentence);
    const start = this.#from + exact;
    const found = exact === -1 ? this.#longestRun(sentence) : { start, end: start + sentence.length };
    this.#from = found.start;
    const last = found.end === found.start ? this.#positionOf(found.end) : this.#positionOf(found.end - 1) + 1;
    return { start: this.#positionOf(found.start), end: last };
  }

  #longestRun(sentence: string): Span {
    const words = Array.from(sentence.matchAll(WORD), ([word]) => word);
    const content = this.#wordsFrom(this.#from);
    const known = new Set(words);
    let best: (Span & { words: number }) | undefined;
    let next = 0;
    for (const [first, { word, start }] of content.entries()) {
      if (first < next || !known.has(word)) continue;
      const run = runFrom(content, first, words);
      const isBetter = best === undefined || run.words > best.words || (run.words === best.words && run.isToEnd);
      if (isBetter) best = { start, end: run.end, words: run.words };
      if (run.words === words.length) break;
      next = first + run.length;
    }
    if (best === undefined) return { start: this.#from, end: this.#from };
    let { start, end } = best;
    if (OPENING.test(sentence[0] ?? "") && OPENING.test(this.#text[start - 1] ?? "")) start--;
    const last = Math.min(this.#text.length, end + MAX_CLOSING);
    while (end < last && CLOSING.test(this.#text[end] ?? "")) end++;
    return { start, end };
  }

  /** Returns the next words of the text. */
  #wordsFrom(from: number): (Span & { word: string })[] {
    this.#words ??= Array.from(this.#text.matchAll(WORD), ({ 0: word, index }) => {
      return { word, start: index, end: index + word.length };
    });
    const next = firstIndexFrom(this.#words, from);
    return this.#words.slice(next, next + MAX_WORDS_BETWEEN);
  }

  #positionOf(index: number): number {
    return this.#positions?.[index] ?? index;
  }
}

/** Returns the run of content words from an index that a sentence has in this order, though not one after the other. */
function runFrom(content: (Span & { word: string })[], first: number, words: string[]) {
  let next = 0;
  let count = 0;
  let end = 0;
  let length = 0;
  for (const each of content.slice(first, first + 2 * words.length)) {
    const index = words.indexOf(each.word, next);
    if (index === -1 && each.word.length > MAX_MARK) break;
    length++;
    if (index === -1) continue;
    next = index + 1;
    count++;
    end = each.end;
  }
  return { end, words: count, length, isToEnd: next === words.length };
}

/** Returns the index of the first item that starts at a position or later. */
function firstIndexFrom(items: Span[], position: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle]?.start ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the position of each unit of a readable text in its content. */
function positionsIn(content: string, readable: string): number[] {
  const positions: number[] = [];
  for (let index = 0; positions.length < readable.length && index < content.length; index++) {
    const unit = content[index];
    const expected = readable[positions.length];
    if (unit === expected || (unit === "’" && expected === "'")) positions.push(index);
  }
  return positions;
}
