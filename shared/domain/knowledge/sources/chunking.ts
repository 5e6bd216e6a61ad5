import { inPieces, isInsidePair } from "../../../kernel/strings.ts";
import type { TokenCounter } from "../../compression/condensing/tokens.ts";
import { beginsSection, closingLine, type Position, Structure, type Syntax, surroundingsOf } from "./structure.ts";

/** Maximum o200k_base tokens of a chunk. */
export const CHUNK_TOKENS = 240;
/** Maximum tokens of a chunk's end that the next chunk of its section repeats. */
export const OVERLAP_TOKENS = 24;
/** Maximum tokens of repeated headings, table headers and enclosing code. */
const MAX_LEAD_TOKENS = 100;
/** From this share of the maximum on, a chunk ends at the end of a section or row, or of a paragraph, instead of a sentence. */
const MIN_FILL = { section: 0.33, paragraph: 0.67 };
/** Text of words never has more; a chunk has at most CHUNK_TOKENS times as many characters. */
const MAX_CHARACTERS_PER_TOKEN = 10;
/** Longer sentences are split between words, so that no piece is a large part of a chunk. */
const PIECE_CHARACTERS = 400;
const PIECE_TOKENS = 60;
/** Characters chunked at once, a few chunks, so that no single call blocks the event loop for long. */
const PUSHED_CHARACTERS = 16_384;
/** Shorter text is not split. */
const SHORTEST_CUT_CHARACTERS = 16;

/** A part of a text, split where it reads best. Positions count UTF-16 units from the start of the text. */
export interface Chunk {
  /** The part with its headings, table header and code fence. */
  text: string;
  /** The part as in the text, trimmed. */
  body: string;
  start: number;
  end: number;
  /** Titles of the sections at its start, outermost first. */
  headings: string[];
  /** Lines and page breaks before its first and its last character. */
  first: Pick<Position, "line" | "breaks">;
  last: Pick<Position, "line" | "breaks">;
  tokens: number;
  /** Tokens that no earlier chunk contains. */
  new_tokens: number;
  /** From where another chunker continues identically. */
  rest: Rest;
}

/** The rest of a text after a chunk. */
export interface Rest {
  /** Where the next chunk starts: before the end of this one, because chunks overlap. */
  next: number;
  /** The end of the text in chunks. */
  covered: number;
}

export const WHOLE_TEXT: Rest = { next: 0, covered: 0 };

/** Quality of a position for ending a chunk, best last. */
const WORD = 0;
const SENTENCE = 1;
const LINE = 2;
const PARAGRAPH = 3;
const SECTION = 4;

/** A piece of the text. Pieces have no gaps and end at token boundaries, so their token counts add up. */
interface Piece {
  start: number;
  end: number;
  tokens: number;
  /** The quality of its end; one of the constants above. */
  quality: number;
}

/** The end of a sentence, line or paragraph in the known text. Not `certain` if more text may move it. */
interface End {
  start: number;
  end: number;
  quality: number;
  certain: boolean;
}

/** The end of a sentence before a blank, or of a line with its line breaks. Bounded repetitions keep it linear. */
const END_OF_PROSE =
  /[.!?…]{1,8}["'”’»)\]]{0,4}(?=[^\S\r\n])|[。！？｡]{1,8}[”’」』）]{0,4}|(?:\r?\n[ \t]{0,200}){1,50}/gu;
/** Source code ends only at line ends. */
const END_OF_CODE = /(?:\r?\n[ \t]{0,200}){1,50}/gu;
/** Maximum length of a match including its look-ahead; an end this close to the end of the known text may grow. */
const MAX_END_LENGTH = 50 * 202 + 1;
/** A title, an initial or an abbreviation whose full stop does not end a sentence. */
const ABBREVIATION = /(?:^|[\s(])(?:Mr|Mrs|Ms|Dr|Prof|St|vs|e\.g|i\.e|cf|approx|No|Fig|Vol|pp?|\p{Lu})$/u;
const MAX_ABBREVIATION_LENGTH = 8;

/** The surroundings that a chunk repeats, with their number of tokens. */
interface Lead {
  start: number;
  text: string;
  tokens: number;
  headings: string[];
}

/**
 * Splits a text into chunks of at most about CHUNK_TOKENS at the ends of sections, paragraphs, lines and sentences.
 * Each starts with its headings and with the end of the preceding chunk of its section. No text is lost, the chunks do
 * not depend on how the text is passed in, and the time is linear.
 */
export class Chunker {
  readonly #tokens: TokenCounter;
  /** Receives each part of the text first. */
  readonly #structure: Structure;
  readonly #endOfPiece: RegExp;
  #lead: Lead | undefined;
  /** The known text from `#base` on. */
  #text = "";
  #base: number;
  /** Pieces of the next chunk, including those repeated from the preceding one. */
  #pieces: Piece[] = [];
  /** The ends of the text in chunks and in pieces. */
  #covered: number;
  #cut: number;
  /** The next known end by its position; undefined if there is none up to `#searched`. */
  #end: End | undefined;
  #searched = 0;

  /** `rest` is where the passed text starts. */
  constructor(tokens: TokenCounter, structure: Structure, { next, covered }: Rest = WHOLE_TEXT) {
    this.#tokens = tokens;
    this.#structure = structure;
    this.#endOfPiece = new RegExp(structure.syntax === "code" ? END_OF_CODE : END_OF_PROSE);
    this.#base = next;
    this.#covered = covered;
    this.#cut = next;
  }

  /** Adds the next part of the text; returns the chunks that it completes. */
  push(text: string): Chunk[] {
    if (!this.#end) this.#searched = Math.max(0, this.#searched - MAX_END_LENGTH);
    this.#text += text;
    return this.#advance(false);
  }

  /** Returns the remaining chunks. */
  end(): Chunk[] {
    const chunks = this.#advance(true);
    const last = this.#cut > this.#covered ? this.#take(this.#pieces.length) : undefined;
    return last ? [...chunks, last] : chunks;
  }

  #advance(isEnd: boolean): Chunk[] {
    const chunks: Chunk[] = [];
    for (let piece = this.#nextPiece(isEnd); piece; piece = this.#nextPiece(isEnd)) {
      this.#markSection(piece.start);
      for (const part of this.#split(piece)) {
        if (this.#pieces.length === 0 && this.#textOf(part).trim() === "") {
          this.#covered = Math.max(this.#covered, part.end);
          continue;
        }
        this.#pieces.push(part);
        const limit = CHUNK_TOKENS - this.#leadOf(this.#pieces).tokens;
        const weight = this.#pieces.reduce((total, part) => total + weightOf(part), 0);
        const chunk = weight > limit ? this.#take(this.#bestEnd(limit)) : undefined;
        if (chunk) chunks.push(chunk);
      }
    }
    this.#forget();
    return chunks;
  }

  #textOf({ start, end }: Pick<Piece, "start" | "end">): string {
    return this.#text.slice(start - this.#base, end - this.#base);
  }

  /** Marks the last piece as the end of a section if a section starts after it. */
  #markSection(start: number): void {
    const last = this.#pieces.at(-1);
    if (!last || last.quality < LINE) return;
    const text = this.#text.slice(start - this.#base, start - this.#base + SHORTEST_CUT_CHARACTERS);
    if (this.#isSection(start, text)) last.quality = SECTION;
  }

  #isSection(start: number, text: string): boolean {
    return beginsSection(this.#structure.at(start), this.#structure.syntax, text);
  }

  /** The surroundings that the chunk of these pieces repeats: as many as fit into MAX_LEAD_TOKENS, innermost first. */
  #leadOf(pieces: Piece[]): Lead {
    const [first] = pieces;
    if (!first) throw new RangeError("a chunk must have at least one piece");
    if (this.#lead?.start === first.start) return this.#lead;
    const raw = this.#textOf(first);
    const body = raw.trimStart();
    const indent = raw.length - body.length - (raw.slice(0, raw.length - body.length).lastIndexOf("\n") + 1);
    const position = this.#structure.at(first.start + raw.length - body.length);
    const { headings, before } = surroundingsOf(position, body, indent);
    let text = "";
    for (const part of before.toReversed()) {
      if (this.#tokens.count(part + text) > MAX_LEAD_TOKENS) break;
      text = part + text;
    }
    this.#lead = { start: first.start, text, tokens: this.#tokens.count(text), headings };
    return this.#lead;
  }

  /** The text up to the next end, or as much as a piece holds; undefined while that is uncertain. */
  #nextPiece(isEnd: boolean): Omit<Piece, "tokens"> | undefined {
    const start = this.#cut - this.#base;
    const length = this.#text.length;
    if (start === length) return undefined;
    this.#findEnd(start, isEnd);
    const limit = start + PIECE_CHARACTERS;
    if (this.#end && !this.#end.certain && this.#end.start < limit) return undefined;
    if (this.#end && this.#end.end <= limit) return this.#pieceTo(this.#end.end, this.#qualityOf(this.#end, start));
    if (length > limit + 1) return this.#pieceTo(this.#wordEnd(start, limit), WORD);
    return isEnd ? this.#pieceTo(length, PARAGRAPH) : undefined;
  }

  #pieceTo(index: number, quality: number): Omit<Piece, "tokens"> {
    const piece = { start: this.#cut, end: this.#base + index, quality };
    this.#cut = piece.end;
    return piece;
  }

  #findEnd(start: number, isEnd: boolean): void {
    if (this.#end ? this.#end.certain && this.#end.start >= start : this.#searched === this.#text.length) return;
    this.#end = undefined;
    const ending = this.#endOfPiece;
    ending.lastIndex = Math.max(start, this.#searched);
    for (let found = ending.exec(this.#text); found; found = ending.exec(this.#text)) {
      const [match] = found;
      if (match === "." && this.#isAbbreviation(start, found.index)) continue;
      const certain = isEnd || ending.lastIndex < this.#text.length - 1;
      this.#end = { start: found.index, certain, ...endIn(match, found.index) };
      break;
    }
    this.#searched = this.#end?.start ?? this.#text.length;
  }

  #isAbbreviation(start: number, index: number): boolean {
    return ABBREVIATION.test(this.#text.slice(Math.max(start, index - MAX_ABBREVIATION_LENGTH), index));
  }

  #qualityOf({ end, quality }: End, start: number): number {
    const isHeading = this.#structure.syntax === "markdown" && this.#isSection(this.#cut, this.#text.slice(start, end));
    return quality > SENTENCE && isHeading ? WORD : quality;
  }

  /** The last boundary between words in a range, or its limit if there is none. */
  #wordEnd(start: number, limit: number): number {
    for (let index = limit; index > start + SHORTEST_CUT_CHARACTERS; index--) {
      if (/\s/.test(this.#text.charAt(index)) && !/\s/.test(this.#text.charAt(index - 1))) return index;
    }
    return isInsidePair(this.#text, limit) ? limit - 1 : limit;
  }

  /** Splits a piece with many tokens, as in scripts with few own tokens, into about equal smaller ones. */
  #split({ start, end, quality }: Omit<Piece, "tokens">): Piece[] {
    const text = this.#text.slice(start - this.#base, end - this.#base);
    const tokens = this.#tokens.count(text);
    if (tokens <= PIECE_TOKENS || text.length <= SHORTEST_CUT_CHARACTERS) return [{ start, end, tokens, quality }];
    const share = Math.ceil(text.length / (Math.ceil(tokens / PIECE_TOKENS) + 1));
    const parts: Piece[] = [];
    for (let from = start; from < end; ) {
      const limit = Math.min(end, from + Math.max(share, SHORTEST_CUT_CHARACTERS));
      const to = limit === end ? end : this.#base + this.#wordEnd(from - this.#base, limit - this.#base);
      parts.push(...this.#split({ start: from, end: to, quality: to === end ? quality : WORD }));
      from = to;
    }
    return parts;
  }

  /** The number of pieces with which the chunk is not too long and ends at the best position. */
  #bestEnd(limit: number): number {
    const maxCount = this.#pieces.length - 1;
    let weight = 0;
    let best = maxCount;
    for (const piece of this.#pieces.slice(0, maxCount)) weight += weightOf(piece);
    for (let count = maxCount; count > 0 && weight >= limit * MIN_FILL.section; count--) {
      const piece = this.#pieces[count - 1];
      if (piece === undefined) break;
      const isEnough = piece.quality === SECTION || this.#endsRow(piece) || weight >= limit * MIN_FILL.paragraph;
      if (isEnough && piece.quality > (this.#pieces[best - 1]?.quality ?? WORD)) best = count;
      weight -= weightOf(piece);
    }
    return Math.max(1, best);
  }

  #endsRow({ end, quality }: Piece): boolean {
    return quality >= LINE && this.#structure.at(end).table !== undefined;
  }

  /** Makes a chunk of the first pieces, and keeps those that start the next one. Returns undefined for white space. */
  #take(count: number): Chunk | undefined {
    const taken = this.#pieces.slice(0, count);
    const [first] = taken;
    const last = taken.at(-1);
    if (!first || !last) return undefined;
    const isNew = (piece: Piece) => piece.start >= this.#covered;
    const new_tokens = sum(taken.filter(isNew));
    const lead = this.#leadOf(taken);
    const repeated = this.#repeatedFrom(taken);
    const raw = this.#textOf({ start: first.start, end: last.end });
    const body = raw.trim();
    const tokens = this.#countTrimmed(taken);
    this.#pieces = this.#pieces.slice(repeated);
    this.#covered = last.end;
    const start = first.start + raw.length - raw.trimStart().length;
    const end = start + body.length;
    const rest = { next: this.#pieces[0]?.start ?? last.end, covered: last.end };
    if (body === "") return undefined;
    const position = this.#structure.at(start);
    const closing = closingLine(position, body);
    const text = lead.text + withoutBreaks(body) + (closing === undefined ? "" : `\n${closing}`);
    const isUnchanged = text.length === lead.text.length + body.length;
    return {
      text,
      body,
      start,
      end,
      headings: lead.headings,
      first: position,
      last: this.#structure.at(end - 1),
      tokens: isUnchanged ? lead.tokens + tokens : this.#tokens.count(text),
      new_tokens,
      rest,
    };
  }

  /** Piece counts add up exactly, except for trimmed white space. */
  #countTrimmed(taken: Piece[]): number {
    const text = (piece: Piece) => this.#textOf(piece);
    const [first, ...others] = taken;
    const last = others.pop();
    if (!first) return 0;
    if (!last) return this.#tokens.count(text(first).trim());
    return this.#tokens.count(text(first).trimStart()) + sum(others) + this.#tokens.count(text(last).trimEnd());
  }

  /**
   * The index of the piece from which the next chunk repeats: whole sentences if possible, within OVERLAP_TOKENS.
   * Counts by weight as #bestEnd does, so that a chunk always contains more than the repetition. Rows of a table, which
   * has its header in each chunk, are not repeated: a part of one would read as a row of its own.
   */
  #repeatedFrom(taken: Piece[]): number {
    const last = taken.at(-1);
    if (!last || last.quality === SECTION || this.#structure.syntax === "code") return taken.length;
    if (this.#structure.at(last.end).table !== undefined) return taken.length;
    let weight = 0;
    let wordStart = taken.length;
    let sentenceStart = taken.length;
    for (const [index, piece] of [...taken.entries()].slice(1).reverse()) {
      weight += weightOf(piece);
      if (weight > OVERLAP_TOKENS) break;
      wordStart = index;
      if ((taken[index - 1]?.quality ?? WORD) > WORD) sentenceStart = index;
    }
    return sentenceStart < taken.length ? sentenceStart : wordStart;
  }

  /** Drops text that no later chunk needs. */
  #forget(): void {
    const start = this.#pieces[0]?.start ?? this.#cut;
    const passed = start - this.#base;
    this.#structure.forget(start);
    this.#text = this.#text.slice(passed);
    this.#base = start;
    this.#searched = Math.max(0, this.#searched - passed);
    this.#end = this.#end && { ...this.#end, start: this.#end.start - passed, end: this.#end.end - passed };
  }
}

function withoutBreaks(body: string): string {
  const pages = body.split("\f").map((page) => page.trim());
  return pages.length === 1 ? body : pages.filter((page) => page !== "").join("\n\n");
}

/** The position and quality of an end; after the last line break, blanks belong to the following text. */
function endIn(match: string, index: number): Pick<End, "end" | "quality"> {
  const breaks = match.split("\n").length - 1;
  if (breaks === 0) return { end: index + match.length, quality: SENTENCE };
  return { end: index + match.lastIndexOf("\n") + 1, quality: breaks === 1 ? LINE : PARAGRAPH };
}

/** Returns the tokens of a piece, except for text with few tokens, such as runs of blanks, which counts by length. */
function weightOf({ start, end, tokens }: Piece): number {
  return Math.max(tokens, (end - start) / MAX_CHARACTERS_PER_TOKEN);
}

function sum(pieces: Piece[]): number {
  return pieces.reduce((total, { tokens }) => total + tokens, 0);
}

/** The chunks of a streamed text from where `rest` starts. The whole text is passed for its structure. */
export async function* chunksOf(
  text: AsyncIterable<string>,
  tokens: TokenCounter,
  { rest = WHOLE_TEXT, syntax = "markdown" }: { rest?: Rest; syntax?: Syntax } = {},
): AsyncGenerator<Chunk, void> {
  const structure = new Structure(syntax);
  const chunker = new Chunker(tokens, structure, rest);
  let passed = 0;
  for await (const part of text) {
    for (const piece of inPieces(part, PUSHED_CHARACTERS)) {
      structure.take(piece);
      const unread = piece.slice(Math.max(0, rest.next - passed));
      passed += piece.length;
      if (unread === "") structure.forget(passed);
      else yield* chunker.push(unread);
    }
  }
  yield* chunker.end();
}
