/** A function of a string whose results are cached; the cache is cleared when it has `max` entries. */
export function memoized<Result>(compute: (key: string) => Result, max: number): (key: string) => Result {
  const results = new Map<string, Result>();
  return (key) => {
    const known = results.get(key);
    if (known !== undefined) return known;
    if (results.size >= max) results.clear();
    const result = compute(key);
    results.set(key, result);
    return result;
  };
}
