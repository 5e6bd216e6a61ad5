/** A token with its range in the text, in UTF-16 units. */
export interface TextToken {
  id: number;
  start: number;
  end: number;
}

/** Maximum tokens of the message before, its last ones, and of a window of the text. */
export const MAX_BEFORE = 40;
export const MAX_WINDOW = 150;

/** Ends of a sentence or a line, after which a window may end. */
const BREAK = /[.!?。！？…\n][^\p{L}\p{N}]*$/u;

/**
 * Splits the tokens of a text into windows of at most MAX_WINDOW, each ending with a sentence or a line if one ends in
 * its second half.
 */
export function* windowsOf(text: string, tokens: readonly TextToken[]): Generator<TextToken[]> {
  for (let from = 0; from < tokens.length; ) {
    const rest = tokens.slice(from, from + MAX_WINDOW);
    const isLast = from + rest.length === tokens.length;
    const end = isLast ? rest.length : lastBreak(text, rest);
    yield rest.slice(0, end);
    from += end;
  }
}

/** Returns the number of tokens up to the last end of a sentence in the second half, or all. */
function lastBreak(text: string, tokens: TextToken[]): number {
  for (let index = tokens.length - 1; index > tokens.length / 2; index--) {
    const [last, next] = [tokens[index - 1], tokens[index]];
    if (last && next && BREAK.test(text.slice(last.start, next.start === last.end ? last.end : next.start)))
      return index;
  }
  return tokens.length;
}
