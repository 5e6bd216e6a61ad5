import type { TokenCounter } from "./tokens.ts";

/** The longest beginning of at most so many tokens, which grow with the text. */
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
