import { readFile } from "node:fs/promises";
import { Tokenizer } from "@huggingface/tokenizers";
import { piecesOf } from "../vectors.ts";
import { type Piece, UnigramFile, UnigramTokenizer } from "./unigram-tokenizer.ts";

/** Number of pieces at the beginning of a vocabulary that include its special tokens. */
const SPECIAL_PIECES = 100;

/** Converts texts to a model's tokens, without the special tokens at the beginning and the end. */
export class TextTokens {
  /** The special tokens that the tokenizer puts before and after each text. */
  readonly start: number;
  readonly end: number;
  readonly #idsOf: (text: string) => number[];
  readonly #pieces: UnigramTokenizer | undefined;

  /** Reads `tokenizer.json`, but not its truncation and padding, which would cut long texts and lengthen short ones. */
  static async open(file: string): Promise<TextTokens> {
    const content = JSON.parse(await readFile(file, "utf8"));
    const unigram = UnigramFile.safeParse(content);
    const pieces = unigram.success ? new UnigramTokenizer(unigram.data) : undefined;
    // For a Unigram model, the library is only used to find the special tokens around a text.
    const model =
      pieces === undefined ? content.model : { ...content.model, vocab: content.model.vocab.slice(0, SPECIAL_PIECES) };
    const tokenizer = new Tokenizer({ ...content, model, truncation: null, padding: null }, {});
    const idsOf = (text: string) => tokenizer.encode(text, { add_special_tokens: false }).ids;
    return new TextTokens(
      tokenizer.encode("").ids,
      pieces,
      pieces === undefined ? idsOf : (text) => pieces.idsOf(text),
    );
  }

  private constructor(
    [start, end, ...others]: number[],
    pieces: UnigramTokenizer | undefined,
    idsOf: (text: string) => number[],
  ) {
    if (start === undefined || end === undefined || others.length > 0)
      throw new Error("its tokenizer does not put one token before and one after a text");
    this.start = start;
    this.end = end;
    this.#idsOf = idsOf;
    this.#pieces = pieces;
  }

  /** Returns the tokens of a text with their ranges. Throws if the model's tokenizer is no Unigram one. */
  placed(text: string): Piece[] {
    if (this.#pieces === undefined) throw new Error("its tokenizer does not say where tokens stand");
    return this.#pieces.piecesOf(text);
  }

  /** Yields all tokens of a text in windows of at most `length`, tokenized piece by piece as they are read. */
  *windows(text: string, length: number): Generator<number[]> {
    let ids: number[] = [];
    for (const piece of piecesOf(text)) {
      ids = ids.concat(this.#idsOf(piece));
      while (ids.length >= length) {
        yield ids.slice(0, length);
        ids = ids.slice(length);
      }
    }
    if (ids.length > 0) yield ids;
  }
}
