import { expect, it } from "vitest";
import { relationsIn } from "./relations.ts";

it.each([
  ["What does my sister do?", "Mi hermana estudia en Granada."],
  ["Wie heißt mein Chef?", "My manager went home."],
  ["妻の名前は何ですか?", "My wife is a nurse."],
  ["Comment s'appelle mon chien ?", "Наша собака спит."],
])("finds the same relation in two languages: %s", (one, other) => {
  expect([...relationsIn(one)].some((relation) => relationsIn(other).has(relation))).toBe(true);
});

it("finds none in other texts", () => {
  expect(relationsIn("The rehearsal was loud.").size).toBe(0);
});
