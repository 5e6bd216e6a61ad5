import { expect, it } from "vitest";
import { normalized, trimmedEnd } from "./strings.ts";

it.each([
  ["a.b..", "a.b"],
  ["...", ""],
  ["", ""],
  ["a", "a"],
])("trims %j to %j", (text, trimmed) => {
  expect(trimmedEnd(text, /\./)).toBe(trimmed);
});

it("normalizes text as String does, and long runs of marks in linear time", () => {
  const text = "e\u0301\u0323 ﬁ Å 한";
  for (const form of ["NFC", "NFD", "NFKC", "NFKD"] as const) {
    expect(normalized(text, form)).toBe(text.normalize(form));
  }
  const marks = "\u0301\u0323".repeat(500_000);
  const started = performance.now();
  const joined = normalized(`a${marks}`, "NFC");
  expect(performance.now() - started).toBeLessThan(1_000);
  expect(joined.length).toBeGreaterThan(marks.length);
});
