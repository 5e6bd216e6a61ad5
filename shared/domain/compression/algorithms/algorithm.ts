import type { TokenCounter } from "../condensing/tokens.ts";

/** A text to compress with its token count, which is computed once because counting takes most of the time. */
export interface Source {
  text: string;
  tokenCount: number;
  tokens: TokenCounter;
}

/** The output of an algorithm. It never has more tokens than the text: if nothing is saved, it is the text itself. */
export interface Encoded {
  /** The text that a model receives instead of the original. */
  content: string;
  tokenCount: number;
  /** Whether `content` begins with a dictionary, which `decode` has to expand. */
  folded: boolean;
  /** Share of the text's salience-weighted terms, 0..1, that the output of `decode` contains. */
  retention: number;
  /** Bytes at rest, if they differ from the UTF-8 length of `content`. */
  storedBytes?: number;
}

export interface Algorithm {
  readonly lossless: boolean;
  /** `minRetention`, 0..1: the minimum retention. Lossless algorithms ignore it and keep everything. */
  encode(source: Source, minRetention: number): Encoded;
}

/** The result if nothing is saved: the text itself. */
export function unchanged({ text, tokenCount }: Source): Encoded {
  return { content: text, tokenCount, folded: false, retention: 1 };
}
