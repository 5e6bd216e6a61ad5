import { expect, it } from "vitest";
import { memoized, memoizedByText } from "./memoized.ts";

/** Returns a function that counts its calls by argument. */
function counting() {
  const calls = new Map<string, number>();
  const compute = (text: string) => {
    calls.set(text, (calls.get(text) ?? 0) + 1);
    return text.length;
  };
  return { calls, compute };
}

it("computes a result once, until the cache is full", () => {
  const { calls, compute } = counting();
  const cached = memoized(compute, 2);
  expect(["a", "b", "a", "c", "a"].map(cached)).toEqual([1, 1, 1, 1, 1]);
  expect(Object.fromEntries(calls)).toEqual({ a: 2, b: 1, c: 1 });
});

it("bounds the cache of texts by their characters", () => {
  const { calls, compute } = counting();
  const cached = memoizedByText(compute, 10);
  expect(["12345", "6789", "12345", "abcdef", "12345"].map(cached)).toEqual([5, 4, 5, 6, 5]);
  expect(calls.get("12345")).toBe(2);
});

it("caches no long text", () => {
  const { calls, compute } = counting();
  const cached = memoizedByText(compute, 100_000);
  const text = "x".repeat(20_000);
  expect([cached(text), cached(text)]).toEqual([20_000, 20_000]);
  expect(calls.get(text)).toBe(2);
});
