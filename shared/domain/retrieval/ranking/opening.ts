import { memoizedByText } from "../../../kernel/memoized.ts";

/** Characters of the texts whose readings are cached, for each reading. */
const MAX_CACHED_TEXT = 2_000_000;

/**
 * Returns `read` with cached results: searches rank the same texts again and again. It gets the text's first `length`
 * characters.
 */
export function readingOpening<Result>(length: number, read: (opening: string) => Result): (text: string) => Result {
  return memoizedByText((text) => read(text.slice(0, length)), MAX_CACHED_TEXT);
}
