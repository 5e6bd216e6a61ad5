import { expect, it } from "vitest";
import { withBrackets } from "./brackets.ts";

it.each([
  ["code", "REDACTED:pin", "[REDACTED:pin]"],
  ["an open bracket", "[REDACTED:pin", "[REDACTED:pin]"],
  ["a closed bracket", "REDACTED:pin] at home", "[REDACTED:pin] at home"],
  ["both", "[REDACTED:pin] at", "[REDACTED:pin] at"],
  ["none", "home", "home"],
])("a part is widened to whole brackets: %s", (_, part, whole) => {
  const text = "The code is [REDACTED:pin] at home.";
  const from = text.indexOf(part);
  const { start, end } = withBrackets(text, from, from + part.length);
  expect(text.slice(start, end)).toBe(whole);
});
