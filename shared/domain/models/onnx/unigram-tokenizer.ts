import * as z from "zod";
import { normalized } from "../../../kernel/strings.ts";
import { PieceTable } from "./piece-table.ts";

const Replace = z.object({
  type: z.literal("Replace"),
  pattern: z.object({ Regex: z.string() }),
  content: z.string(),
});
const Normalizer = z.union([Replace, z.object({ type: z.enum(["NFC", "NFKC"]) })]);

/** The `tokenizer.json` of a Unigram model, as in XLM-RoBERTa and similar models; the library reads all others. */
export const UnigramFile = z.object({
  normalizer: z.object({ type: z.literal("Sequence"), normalizers: z.array(Normalizer) }),
  pre_tokenizer: z.object({
    type: z.literal("Metaspace"),
    replacement: z.string().length(1),
    prepend_scheme: z.literal("always"),
    split: z.literal(true),
  }),
  model: z.object({
    type: z.literal("Unigram"),
    unk_id: z.int(),
    // Not checked one by one, because a vocabulary holds some 250,000 pieces.
    vocab: z.custom<[piece: string, score: number][]>(Array.isArray),
    byte_fallback: z.literal(false).optional(),
  }),
});

/** A piece of a text with its range. */
export interface Piece {
  id: number;
  start: number;
  end: number;
}

/** How much worse an unknown character is than the worst piece, in log-probability, as in SentencePiece. */
const UNKNOWN_PENALTY = 10;

/**
 * Splits words into the most probable pieces of a vocabulary (Kudo 2018, "Subword Regularization"), in time linear in
 * the text. It keeps a vocabulary of 250,000 pieces in a tenth of the memory that the library's needs.
 */
export class UnigramTokenizer {
  readonly #pieces: PieceTable;
  readonly #scores: Float32Array;
  readonly #unknown: number;
  readonly #unknownScore: number;
  readonly #mark: string;
  readonly #normalize: (text: string) => string;

  constructor({ normalizer, pre_tokenizer, model }: z.infer<typeof UnigramFile>) {
    const steps = normalizer.normalizers.map((step) => {
      if (step.type !== "Replace") return (text: string) => normalized(text, step.type);
      const pattern = new RegExp(step.pattern.Regex, "gu");
      return (text: string) => text.replace(pattern, step.content);
    });
    this.#normalize = (text) => steps.reduce((result, step) => step(result), text);
    this.#mark = pre_tokenizer.replacement;
    this.#scores = Float32Array.from(model.vocab, ([, score]) => score);
    this.#pieces = new PieceTable(model.vocab.map(([piece]) => piece));
    this.#unknown = model.unk_id;
    this.#unknownScore = this.#scores.reduce((min, score) => Math.min(min, score), 0) - UNKNOWN_PENALTY;
  }

  /** Returns the ids of a text's pieces; unknown characters that follow each other become one. */
  idsOf(text: string): number[] {
    const spaced = this.#normalize(text);
    if (spaced === "") return [];
    const marked = (spaced.startsWith(" ") ? spaced : ` ${spaced}`).replaceAll(" ", this.#mark);
    const ids: number[] = [];
    for (let start = 0; start < marked.length; ) {
      const next = marked.indexOf(this.#mark, start + 1);
      const end = next === -1 ? marked.length : next;
      for (const { id } of this.#split(marked.slice(start, end))) ids.push(id);
      start = end;
    }
    return ids.filter((id, index) => id !== this.#unknown || ids[index - 1] !== id);
  }

  /** Returns the pieces of a text with their ranges in it, in UTF-16 units. A word's first piece includes its mark. */
  piecesOf(text: string): Piece[] {
    const pieces: Piece[] = [];
    for (const { 0: word, index } of text.matchAll(/\S+/gu)) {
      const { characters, starts } = this.#normalizedWord(word);
      let from = 0;
      for (const { id, end } of this.#split(this.#mark + characters)) {
        // The mark is no character of the text.
        const to = Math.max(0, end - 1);
        const [last, start] = [pieces.at(-1), index + (starts[from] ?? word.length)];
        const ends = index + (starts[to] ?? word.length);
        if (id === this.#unknown && last?.id === id && last.end === start) last.end = ends;
        else pieces.push({ id, start, end: ends });
        from = to;
      }
    }
    return pieces;
  }

  /** Normalizes a word character by character, each with its combining marks; `starts` are their places in the word. */
  #normalizedWord(word: string) {
    let characters = "";
    const starts: number[] = [];
    for (const { 0: character, index } of word.matchAll(/.\p{M}*/gsu)) {
      const plain = this.#normalize(character).trim();
      for (let unit = 0; unit < plain.length; unit++) starts.push(index);
      characters += plain;
    }
    return { characters, starts };
  }

  /** Finds the best last piece up to each position of a word, and collects the pieces backwards from the end. */
  #split(word: string): { id: number; end: number }[] {
    const best = new Float64Array(word.length + 1).fill(Number.NEGATIVE_INFINITY);
    const starts = new Int32Array(word.length + 1);
    const pieceIds = new Int32Array(word.length + 1);
    best[0] = 0;
    const update = (end: number, start: number, id: number, score: number) => {
      if (score <= (best[end] ?? 0)) return;
      best[end] = score;
      starts[end] = start;
      pieceIds[end] = id;
    };
    for (let start = 0; start < word.length; start++) {
      const scoreBefore = best[start] ?? 0;
      if (scoreBefore === Number.NEGATIVE_INFINITY) continue;
      this.#pieces.forEachAt(word, start, (id, end) => update(end, start, id, scoreBefore + (this.#scores[id] ?? 0)));
      const character = (word.codePointAt(start) ?? 0) > 0xffff ? 2 : 1;
      update(start + character, start, this.#unknown, scoreBefore + this.#unknownScore);
    }
    const pieces: { id: number; end: number }[] = [];
    for (let end = word.length; end > 0; end = starts[end] ?? 0)
      pieces.push({ id: pieceIds[end] ?? this.#unknown, end });
    return pieces.reverse();
  }
}
