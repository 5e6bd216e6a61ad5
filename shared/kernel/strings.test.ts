import { expect, it } from "vitest";
import { processorTimeOf } from "../../test/support/processor-time.ts";
import { normalized, trimmedEnd } from "./strings.ts";

it.each([
  ["a.b..", "a.b"],
  ["...", ""],
  ["", ""],
  ["a", "a"],
])("trims %j to %j", (text, trimmed) => {
  expect(trimmedEnd(text, /\./)).toBe(trimmed);
});

it("normalizes text as String does, and long runs of marks in linear time", async () => {
  const text = "e\u0301\u0323 ﬁ Å 한";
  for (const form of ["NFC", "NFD", "NFKC", "NFKD"] as const) {
    expect(normalized(text, form)).toBe(text.normalize(form));
  }
  const marks = "\u0301\u0323".repeat(500_000);
  expect(normalized(`a${marks}`, "NFC").length).toBeGreaterThan(marks.length);
  expect(await processorTimeOf(() => normalized(`a${marks}`, "NFC"))).toBeLessThan(1_000);
});
