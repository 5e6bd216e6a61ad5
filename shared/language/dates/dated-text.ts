import type { Language } from "../languages/detect.ts";
import { type Token, tokenize } from "./tokens.ts";

/** A line of a text with its tokens. */
export interface DatedLine {
  text: string;
  tokens: Token[];
}

/** A text whose dates are read several ways, but which is tokenized once. */
export interface DatedText {
  text: string;
  language: Language;
  lines: readonly DatedLine[];
  /** The tokens of the whole text. */
  tokens: Token[];
}

export function linesOf(text: string): DatedLine[] {
  return text.split("\n").map((line) => ({ text: line, tokens: tokenize(line) }));
}
