import type { TokenCounter } from "../tokens.ts";

/** A text to compress, counted once, since counting is what most of the time goes into. */
export interface Source {
  text: string;
  tokenCount: number;
  tokens: TokenCounter;
}

/** What an algorithm makes of a text. Never more tokens than the text: where nothing is to be gained, the text itself. */
export interface Encoded {
  /** What a model is given instead of the text. */
  content: string;
  tokenCount: number;
  /** Whether `content` begins with a dictionary, which `decode` has to read. */
  folded: boolean;
  /** Share of the text's salience-weighted terms, 0..1, that are in what `decode` gives. */
  retention: number;
  /** Size at rest, where that is not the content's UTF-8. */
  storedBytes?: number;
}

export interface Algorithm {
  readonly lossless: boolean;
  /** `minRetention`, 0..1: the retention to keep. Lossless algorithms keep all of it anyway. */
  encode(source: Source, minRetention: number): Encoded;
}

export function unchanged({ text, tokenCount }: Source): Encoded {
  return { content: text, tokenCount, folded: false, retention: 1 };
}
