import { expect, it } from "vitest";
import { isOfNamed, slotKey } from "./slot-key.ts";

it.each([
  ["Ada", "lives_in", true],
  ["Ada", "dose_of ramipril", true],
  ["locker", "code_of locker", false],
  ["user", "lives_in", false],
  ["user", "code_of locker", false],
  ["assistant", "recommended", false],
])("says of %s, %s whether it has a name of its own", (subject, attribute, isNamed) => {
  expect(isOfNamed(slotKey(subject, attribute))).toBe(isNamed);
});
