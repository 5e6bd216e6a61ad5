import type { TokenCounter } from "./condensing/tokens.ts";

/** Returns the longest prefix of at most `maxTokens` tokens. Binary search: the count grows with the prefix. */
export function cutToTokens(text: string, maxTokens: number, counter: TokenCounter): string {
  if (counter.count(text) <= maxTokens) return text;
  let [fits, tooLong] = [0, text.length];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (counter.count(text.slice(0, middle)) <= maxTokens) fits = middle;
    else tooLong = middle;
  }
  return text.slice(0, fits).trimEnd().toWellFormed();
}
