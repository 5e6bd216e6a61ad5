import { expect, it } from "vitest";
import { independentGroups } from "./duplicates.ts";

const SIZE = 3;
function groupsOf(...contents: string[]): string[][] {
  const statements = contents.map((content) => ({ content }));
  return independentGroups(statements, SIZE).map((group) => group.map(({ content }) => content));
}

it("groups statements about different things, in order", () => {
  const contents = ["Ada paints lakes", "The rent is due", "Bob sold a kayak"];
  expect(groupsOf(...contents)).toEqual([contents]);
});

it.each([
  ["equal statements", "Ada lives in Rome", "Ada lives in Rome"],
  ["statements that differ in case", "Ada lives in Rome", "ada lives in rome!"],
  ["a later state", "Ada lives in Rome", "Ada lives in Paris"],
  ["statements without terms", "Ada lives in Rome", "It was me"],
])("separates %s", (_, one, other) => {
  expect(groupsOf(one, other)).toEqual([[one], [other]]);
  expect(groupsOf(one, "The rent is due", other)).toEqual([[one, "The rent is due"], [other]]);
});

it("limits the size of groups, and returns none without statements", () => {
  expect(groupsOf("alpha", "beta", "gamma", "delta")).toEqual([["alpha", "beta", "gamma"], ["delta"]]);
  expect(groupsOf()).toEqual([]);
});
