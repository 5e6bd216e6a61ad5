import { type FoldCost, fold } from "../fold.ts";
import { type Algorithm, type Encoded, unchanged } from "./algorithm.ts";

const CHARACTERS: FoldCost = { of: (text) => text.length, leastGain: 1 };

/** Folds whatever repeats and saves characters. Lossless; kept only if it saves tokens as well. */
export const radix: Algorithm = {
  lossless: true,
  encode: (text, { tokens }) => foldIfShorter(text, CHARACTERS, tokens.count),
};

/** The folded text if it has fewer tokens, else the text. */
export function foldIfShorter(text: string, cost: FoldCost, count: (text: string) => number): Encoded {
  const folded = fold(text, cost);
  if (folded === undefined || count(folded) >= count(text)) return unchanged(text);
  return { content: folded, folded: true, retention: 1 };
}
