import type { TokenCounter } from "../compression/tokens.ts";

/** What a chunk holds at most, in o200k_base tokens. */
export const CHUNK_TOKENS = 800;
/** How much of its end the next chunk repeats, at most. */
export const OVERLAP_TOKENS = 80;
/** A chunk this full ends at the last paragraph's end rather than going on to a mere sentence's. */
const FULL_ENOUGH_TOKENS = 480;
/** No text of words has more; a chunk holds at most CHUNK_TOKENS times as many. */
const MOST_CHARACTERS_A_TOKEN = 10;
/** Longer sentences are cut between words, so that no piece is much of a chunk. */
const PIECE_CHARACTERS = 400;
const PIECE_TOKENS = OVERLAP_TOKENS;
/** Chunked at once; a few chunks. */
const PUSHED_CHARACTERS = 16_384;
const SHORTEST_CUT_CHARACTERS = 16;

/** A part of a text, cut where it reads best. Places count UTF-16 units from the beginning of the text. */
export interface Chunk {
  /** Without white space around it. */
  text: string;
  start: number;
  end: number;
  tokens: number;
  /** Those of it that no chunk before it holds. */
  new_tokens: number;
  /** From where another chunker goes on alike. */
  rest: Rest;
}

/** What is left of a text after a chunk. */
export interface Rest {
  /** Where the next chunk begins: before the end of this one, as chunks overlap. */
  next: number;
  /** Up to here chunks hold the text. */
  covered: number;
}

export const WHOLE_TEXT: Rest = { next: 0, covered: 0 };

/** How good a place to end a chunk is, best last. */
const WORD = 0;
const SENTENCE = 1;
const LINE = 2;
const PARAGRAPH = 3;

/** Pieces follow each other without gaps; each ends where a token does, so tokens of pieces sum to those of the text. */
interface Piece {
  start: number;
  end: number;
  tokens: number;
  /** What ends here. */
  ends: number;
}

/** Where something ends in the known text. Not `certain`: more text may move it. */
interface End {
  start: number;
  end: number;
  ends: number;
  certain: boolean;
}

/**
 * The end of a sentence, before the blank that belongs to the next one; or of a line, with all line breaks in a row.
 * Repetitions are bounded: at no place does looking cost more than at another.
 */
const END = /[.!?…]{1,8}["'”’»)\]]{0,4}(?=[^\S\r\n])|[。！？｡]{1,8}[”’」』）]{0,4}|(?:\r?\n[ \t]{0,200}){1,50}/gu;
/** Longest match of END, its look-ahead included; what ends nearer to the end of what is known may yet grow. */
const LONGEST_END = 50 * 202 + 1;
/** A title, an initial or an abbreviation, whose full stop ends no sentence. */
const ABBREVIATION = /(?:^|[\s(])(?:Mr|Mrs|Ms|Dr|Prof|St|vs|e\.g|i\.e|cf|approx|No|Fig|Vol|pp?|\p{Lu})$/u;
const LONGEST_ABBREVIATION = 8;
/** A heading belongs to what follows: better to end before it. */
const HEADING = /^\s*#{1,6}\s/;

/**
 * Cuts a text into chunks of at most about CHUNK_TOKENS at the ends of paragraphs, lines and sentences, each repeating the
 * end of the one before it. No text is lost, the same text gives the same chunks however it is handed in, and the time is
 * linear in its length.
 */
export class Chunker {
  readonly #tokens: TokenCounter;
  /** What is known of the text from `#base` on. */
  #text = "";
  #base: number;
  /** Pieces of the chunk to be, and those of the chunk before that it repeats. */
  #pieces: Piece[] = [];
  /** Up to here the text is in chunks, and in pieces. */
  #covered: number;
  #cut: number;
  /** The next end in the text that is known, by its places in that; undefined when there is none up to `#searched`. */
  #end: End | undefined;
  #searched = 0;

  /** `rest` is where the text that it will be handed begins. */
  constructor(tokens: TokenCounter, { next, covered }: Rest = WHOLE_TEXT) {
    this.#tokens = tokens;
    this.#base = next;
    this.#covered = covered;
    this.#cut = next;
  }

  /** Takes the next part of the text; answers the chunks that are complete by it. */
  push(text: string): Chunk[] {
    if (!this.#end) this.#searched = Math.max(0, this.#searched - LONGEST_END);
    this.#text += text;
    return this.#advance(false);
  }

  /** Answers what is left. */
  end(): Chunk[] {
    const chunks = this.#advance(true);
    const last = this.#cut > this.#covered ? this.#take(this.#pieces.length) : undefined;
    return last ? [...chunks, last] : chunks;
  }

  #advance(isEnd: boolean): Chunk[] {
    const chunks: Chunk[] = [];
    for (let piece = this.#nextPiece(isEnd); piece; piece = this.#nextPiece(isEnd)) {
      for (const part of this.#split(piece)) {
        this.#pieces.push(part);
        const chunk = this.#total() > CHUNK_TOKENS ? this.#take(this.#bestEnd()) : undefined;
        if (chunk) chunks.push(chunk);
      }
    }
    this.#forget();
    return chunks;
  }

  #total(): number {
    return this.#pieces.reduce((sum, piece) => sum + weightOf(piece), 0);
  }

  /** The text up to the next end, or as much of it as a piece holds; undefined while that is not certain. */
  #nextPiece(isEnd: boolean): Omit<Piece, "tokens"> | undefined {
    const start = this.#cut - this.#base;
    const known = this.#text.length;
    if (start === known) return undefined;
    this.#findEnd(start, isEnd);
    const limit = start + PIECE_CHARACTERS;
    if (this.#end && !this.#end.certain && this.#end.start < limit) return undefined;
    if (this.#end && this.#end.end <= limit) return this.#pieceTo(this.#end.end, this.#strength(this.#end, start));
    if (known > limit + 1) return this.#pieceTo(this.#wordEnd(start, limit), WORD);
    return isEnd ? this.#pieceTo(known, PARAGRAPH) : undefined;
  }

  #pieceTo(place: number, ends: number): Omit<Piece, "tokens"> {
    const piece = { start: this.#cut, end: this.#base + place, ends };
    this.#cut = piece.end;
    return piece;
  }

  #findEnd(start: number, isEnd: boolean): void {
    if (this.#end ? this.#end.certain && this.#end.start >= start : this.#searched === this.#text.length) return;
    this.#end = undefined;
    END.lastIndex = Math.max(start, this.#searched);
    for (let found = END.exec(this.#text); found; found = END.exec(this.#text)) {
      const [match] = found;
      if (match === "." && this.#isAbbreviation(start, found.index)) continue;
      const certain = isEnd || END.lastIndex < this.#text.length - 1;
      this.#end = { start: found.index, certain, ...endIn(match, found.index) };
      break;
    }
    this.#searched = this.#end?.start ?? this.#text.length;
  }

  #isAbbreviation(start: number, place: number): boolean {
    return ABBREVIATION.test(this.#text.slice(Math.max(start, place - LONGEST_ABBREVIATION), place));
  }

  #strength({ end, ends }: End, start: number): number {
    return ends > SENTENCE && HEADING.test(this.#text.slice(start, end)) ? WORD : ends;
  }

  /** The last place between two words in a stretch, or its limit where it is all one word. */
  #wordEnd(start: number, limit: number): number {
    for (let place = limit; place > start + SHORTEST_CUT_CHARACTERS; place--) {
      if (/\s/.test(this.#text.charAt(place)) && !/\s/.test(this.#text.charAt(place - 1))) return place;
    }
    return isInsidePair(this.#text, limit) ? limit - 1 : limit;
  }

  /** A piece that many tokens stand for, as in scripts that have few of their own, in about equal smaller ones. */
  #split({ start, end, ends }: Omit<Piece, "tokens">): Piece[] {
    const text = this.#text.slice(start - this.#base, end - this.#base);
    const tokens = this.#tokens.count(text);
    if (tokens <= PIECE_TOKENS || text.length <= SHORTEST_CUT_CHARACTERS) return [{ start, end, tokens, ends }];
    const share = Math.ceil(text.length / (Math.ceil(tokens / PIECE_TOKENS) + 1));
    const parts: Piece[] = [];
    for (let from = start; from < end; ) {
      const limit = Math.min(end, from + Math.max(share, SHORTEST_CUT_CHARACTERS));
      const to = limit === end ? end : this.#base + this.#wordEnd(from - this.#base, limit - this.#base);
      parts.push(...this.#split({ start: from, end: to, ends: to === end ? ends : WORD }));
      from = to;
    }
    return parts;
  }

  /** How many of the pieces to take so that the chunk is not too long and ends at the best place. */
  #bestEnd(): number {
    const most = this.#pieces.length - 1;
    let weight = 0;
    let best = most;
    for (const piece of this.#pieces.slice(0, most)) weight += weightOf(piece);
    for (let count = most; count > 0 && weight >= FULL_ENOUGH_TOKENS; count--) {
      const piece = this.#pieces[count - 1];
      if (piece === undefined) break;
      if (piece.ends > (this.#pieces[best - 1]?.ends ?? WORD)) best = count;
      weight -= weightOf(piece);
    }
    return Math.max(1, best);
  }

  /** Makes a chunk of the first pieces, and leaves those that the next one begins with. Undefined for white space alone. */
  #take(count: number): Chunk | undefined {
    const taken = this.#pieces.slice(0, count);
    const [first] = taken;
    const last = taken.at(-1);
    if (!first || !last) return undefined;
    const isNew = (piece: Piece) => piece.start >= this.#covered;
    const new_tokens = sum(taken.filter(isNew));
    const repeated = this.#repeatedFrom(taken);
    const raw = this.#text.slice(first.start - this.#base, last.end - this.#base);
    const text = raw.trim();
    this.#pieces = this.#pieces.slice(repeated);
    this.#covered = last.end;
    const start = first.start + raw.length - raw.trimStart().length;
    const rest = { next: this.#pieces[0]?.start ?? last.end, covered: last.end };
    if (text === "") return undefined;
    return { text, start, end: start + text.length, tokens: this.#countTrimmed(taken), new_tokens, rest };
  }

  /** Pieces sum up exactly, but for the white space that a chunk leaves away. */
  #countTrimmed(taken: Piece[]): number {
    const text = ({ start, end }: Piece) => this.#text.slice(start - this.#base, end - this.#base);
    const [first, ...others] = taken;
    const last = others.pop();
    if (!first) return 0;
    if (!last) return this.#tokens.count(text(first).trim());
    return this.#tokens.count(text(first).trimStart()) + sum(others) + this.#tokens.count(text(last).trimEnd());
  }

  /** From which piece on the next chunk repeats: whole sentences if it can be, as many as OVERLAP_TOKENS hold. */
  #repeatedFrom(taken: Piece[]): number {
    let tokens = 0;
    let any = taken.length;
    let sentence = taken.length;
    for (let place = taken.length - 1; place > 0; place--) {
      tokens += taken[place]?.tokens ?? 0;
      if (tokens > OVERLAP_TOKENS) break;
      any = place;
      if ((taken[place - 1]?.ends ?? WORD) > WORD) sentence = place;
    }
    return sentence < taken.length ? sentence : any;
  }

  /** Lets go of the text that no chunk to come holds. */
  #forget(): void {
    const start = this.#pieces[0]?.start ?? this.#cut;
    const passed = start - this.#base;
    this.#text = this.#text.slice(passed);
    this.#base = start;
    this.#searched = Math.max(0, this.#searched - passed);
    this.#end = this.#end && { ...this.#end, start: this.#end.start - passed, end: this.#end.end - passed };
  }
}

/** Of line breaks in a row the last one; blanks after it belong to what follows. */
function endIn(match: string, index: number): Pick<End, "end" | "ends"> {
  const breaks = match.split("\n").length - 1;
  if (breaks === 0) return { end: index + match.length, ends: SENTENCE };
  return { end: index + match.lastIndexOf("\n") + 1, ends: breaks === 1 ? LINE : PARAGRAPH };
}

/** Tokens, but for what few tokens stand for, such as blanks in a row: that fills a chunk by its length. */
function weightOf({ start, end, tokens }: Piece): number {
  return Math.max(tokens, (end - start) / MOST_CHARACTERS_A_TOKEN);
}

function sum(pieces: Piece[]): number {
  return pieces.reduce((total, { tokens }) => total + tokens, 0);
}

function isInsidePair(text: string, place: number): boolean {
  return /[\uD800-\uDBFF]/.test(text.charAt(place - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(place));
}

/** So that no single call holds the event loop for long, whatever a part holds. */
function* inPieces(part: string): Generator<string> {
  for (let start = 0; start < part.length; ) {
    const limit = Math.min(part.length, start + PUSHED_CHARACTERS);
    const end = isInsidePair(part, limit) ? limit + 1 : limit;
    yield part.slice(start, end);
    start = end;
  }
}

/** The chunks of a text, or of the rest of one, that comes in parts. */
export async function* chunksOf(
  text: AsyncIterable<string>,
  tokens: TokenCounter,
  rest: Rest = WHOLE_TEXT,
): AsyncGenerator<Chunk, void> {
  const chunker = new Chunker(tokens, rest);
  for await (const part of text) {
    for (const piece of inPieces(part)) yield* chunker.push(piece);
  }
  yield* chunker.end();
}
