/** A function of one text whose results are cached; the cache is cleared when it has `max` entries. */
export function memoized<Result>(compute: (text: string) => Result, max: number): (text: string) => Result {
  const results = new Map<string, Result>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    if (results.size >= max) results.clear();
    const result = compute(text);
    results.set(text, result);
    return result;
  };
}
