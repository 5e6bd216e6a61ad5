/** Returns `compute` with cached results; the cache is cleared when it has `max` entries. */
export function memoized<Result>(compute: (key: string) => Result, max: number): (key: string) => Result {
  const results = new Map<string, Result>();
  return (key) => {
    const cached = results.get(key);
    if (cached !== undefined) return cached;
    if (results.size >= max) results.clear();
    const result = compute(key);
    results.set(key, result);
    return result;
  };
}

/** Longer texts are not cached. */
const MAX_TEXT_LENGTH = 10_000;

/** The same for what is read in texts; the cache is cleared when its texts have more than `maxCharacters` together. */
export function memoizedByText<Result>(compute: (text: string) => Result, maxCharacters: number) {
  const results = new Map<string, Result>();
  let characters = 0;
  return (text: string): Result => {
    const cached = results.get(text);
    if (cached !== undefined) return cached;
    const result = compute(text);
    if (text.length > MAX_TEXT_LENGTH) return result;
    characters += text.length;
    if (characters > maxCharacters) {
      results.clear();
      characters = text.length;
    }
    results.set(text, result);
    return result;
  };
}
