import { expect, test } from "vitest";
import { isSameStatement, isSubsumedBy } from "./same-statement.ts";

const TEA = "Alice prefers tea over coffee.";

/** Each pair differs in a name, a number, a negation or the order. */
const OTHERS: [string, string][] = [
  ["Bob says that Alice prefers tea over coffee.", "She says that Alice prefers tea over coffee."],
  ["Today Bob prefers tea over coffee.", TEA],
  ["Alice prefers coffee over tea.", TEA],
  ["Alice doesn't prefer tea over coffee.", TEA],
  ["Alice does not prefer tea over coffee.", TEA],
  ["The refund is of order 1002.", "The refund is of order 1001."],
  ["1002 was refunded.", "1001 was refunded."],
  ["The meeting is on Friday.", "The meeting is on Thursday."],
];

test.each([
  [TEA, TEA],
  ["alice prefers TEA over coffee!", TEA],
  ["Alice really prefers tea over coffee.", TEA],
  ["Then Alice prefers tea over coffee.", TEA],
  ["", TEA],
  ["她住在苏黎世。", "她住在苏黎世。"],
])("'%s' adds nothing to '%s'", (text, similar) => {
  expect(isSubsumedBy(text, similar)).toBe(true);
});

test.each(OTHERS)("'%s' differs from '%s'", (text, similar) => {
  expect(isSubsumedBy(text, similar)).toBe(false);
});

test.each([
  [TEA, TEA],
  ["alice prefers TEA over coffee!", TEA],
  ["Alice really prefers tea over coffee.", TEA],
  ["Then Alice prefers  “tea” over coffee", TEA],
  ["她住在苏黎世。", "她住在苏黎世"],
  ["Tea over coffee is what Alice prefers.", "Alice prefers tea over coffee"],
  ["It is Lisbon that Alice moved to.", "Alice moved to Lisbon."],
  ["The API is down", "the api is down"],
])("'%s' says the same as '%s'", (text, other) => {
  expect(isSameStatement(text, other)).toBe(true);
  expect(isSameStatement(other, text)).toBe(true);
});

test.each([
  ...OTHERS,
  ["i lived in vexamor near the river.", "i lived in tolubek near the river."],
  ["Her favourite colour is blue.", "Her favourite colour is red."],
  ["She lives in the old mill by the river.", "She lived in the old mill by the river."],
  ["My sister lives in the old mill.", "My sister used to live in the old mill."],
  ["She is married to a sailor.", "She was married to a sailor."],
  ["He flies from Rome to Oslo.", "He flies to Rome from Oslo."],
  ["She programs in C++.", "She programs in C#."],
  ["It was -5 degrees.", "It was 5 degrees."],
  ["The door code is Kestrel9", "The door code is kestrel9"],
  ["Call getUser first.", "Call getuser first."],
  ["The key is `AbC`.", "The key is `abc`."],
  ["We met at the Very Good Bakery.", "We met at the Good Bakery."],
  ["The where is unclear.", "Where is unclear."],
  ["Alice is what Bob fears.", "Alice fears Bob."],
  ["", TEA],
  ["...", "!!!"],
])("'%s' differs from '%s'", (text, other) => {
  expect(isSameStatement(text, other)).toBe(false);
  expect(isSameStatement(other, text)).toBe(false);
});
