import type { TokenCounter } from "../tokens.ts";

export interface AlgorithmOptions {
  tokens: TokenCounter;
  /** Share of the salience, 0..1, that has to stay recoverable. Lossless algorithms keep all of it anyway. */
  minRetention: number;
}

/** What an algorithm makes of a text. Never more tokens than the text: where nothing is to be gained, the text itself. */
export interface Encoded {
  /** What a model is given instead of the text. */
  content: string;
  /** Whether `content` begins with a dictionary, so that `unfold` has to read it. */
  folded: boolean;
  /** Share of the text's salience-weighted terms, 0..1, that are in what `decode` gives. */
  retention: number;
  /** Size at rest, where that is not the content's UTF-8. */
  storedBytes?: number;
}

export interface Algorithm {
  readonly lossless: boolean;
  encode(text: string, options: AlgorithmOptions): Encoded;
}

export function unchanged(text: string): Encoded {
  return { content: text, folded: false, retention: 1 };
}
