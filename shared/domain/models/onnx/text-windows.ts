import { readFile } from "node:fs/promises";
import { Tokenizer } from "@huggingface/tokenizers";
import { piecesOf } from "../vectors.ts";

/** Converts texts to a model's tokens, without those that mark the beginning and the end. */
export class TextTokens {
  /** The token that the tokenizer puts before each text; `end` follows it. */
  readonly start: number;
  readonly end: number;
  readonly #tokenizer: Tokenizer;

  /**
   * Reads `tokenizer.json`. Truncation and padding are turned off, because they would cut long texts and lengthen short
   * ones.
   */
  static async open(file: string): Promise<TextTokens> {
    const content = JSON.parse(await readFile(file, "utf8"));
    return new TextTokens(new Tokenizer({ ...content, truncation: null, padding: null }, {}));
  }

  private constructor(tokenizer: Tokenizer) {
    const [start, end, ...others] = tokenizer.encode("").ids;
    if (start === undefined || end === undefined || others.length > 0)
      throw new Error("its tokenizer does not put one token before and one after a text");
    this.start = start;
    this.end = end;
    this.#tokenizer = tokenizer;
  }

  /** Yields all tokens of a text in windows of at most `length`, tokenized piece by piece as they are read. */
  *windows(text: string, length: number): Generator<number[]> {
    let ids: number[] = [];
    for (const piece of piecesOf(text)) {
      ids = ids.concat(this.#tokenizer.encode(piece, { add_special_tokens: false }).ids);
      while (ids.length >= length) {
        yield ids.slice(0, length);
        ids = ids.slice(length);
      }
    }
    if (ids.length > 0) yield ids;
  }
}
