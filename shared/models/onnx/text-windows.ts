import { readFile } from "node:fs/promises";
import { Tokenizer } from "@huggingface/tokenizers";
import { piecesOf } from "../vectors.ts";

/** Texts as the tokens of a model, without those that mark the beginning and the end. */
export class TextTokens {
  /** What the tokenizer puts before and after each text. */
  readonly start: number;
  readonly end: number;
  readonly #tokenizer: Tokenizer;

  /** Reads `tokenizer.json`; truncation and padding that it asks for would cut long texts and lengthen short ones: both are off. */
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

  /** All tokens of a text in windows of at most so many, tokenized piece by piece as they are read. */
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
