import { expect, test } from "vitest";
import { addsNothing } from "./sameness.ts";

const TEA = "Alice prefers tea over coffee.";

test.each([
  [TEA, TEA],
  ["alice prefers TEA over coffee!", TEA],
  ["Alice really prefers tea over coffee.", TEA],
  ["Then Alice prefers tea over coffee.", TEA],
  ["", TEA],
  ["她住在苏黎世。", "她住在苏黎世。"],
])("'%s' adds nothing to '%s'", (text, similar) => {
  expect(addsNothing(text, similar)).toBe(true);
});

test.each([
  ["Bob says that Alice prefers tea over coffee.", "She says that Alice prefers tea over coffee."],
  ["Today Bob prefers tea over coffee.", TEA],
  ["Alice prefers coffee over tea.", TEA],
  ["Alice doesn't prefer tea over coffee.", TEA],
  ["Alice does not prefer tea over coffee.", TEA],
  ["The refund is of order 1002.", "The refund is of order 1001."],
  ["1002 was refunded.", "1001 was refunded."],
  ["The meeting is on Friday.", "The meeting is on Thursday."],
])("'%s' says something else than '%s'", (text, similar) => {
  expect(addsNothing(text, similar)).toBe(false);
});
