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
