import { describe, expect, it } from "vitest";
import type { Observation } from "./fact.ts";
import type { PlacedFact } from "./reader.ts";
import { placeFacts } from "./timeline.ts";
import { isAboutPast, validityOf } from "./validity.ts";

function livesIn(value: string, observed_at: string): Observation {
  const id = `fact_${value}`;
  const said = { subject: "user", attribute: "lives_in", cardinality: "single" as const, value, act: "state" as const };
  return { ...said, id, memory_id: `mem_${value}`, observed_at, confidence: 0.9, span: { start: 0, end: 1 } };
}

const FACTS = placeFacts(
  [
    livesIn("Zurich", "2024-01-01T00:00:00.000+00:00"),
    livesIn("Berlin", "2025-01-01T00:00:00.000+00:00"),
    livesIn("Oslo", "2026-01-01T00:00:00.000+00:00"),
  ],
  new Date("2026-06-01"),
) as PlacedFact[];

describe("what no longer holds", () => {
  it("is told with what holds now", () => {
    const validity = validityOf(FACTS, undefined);
    expect([...validity.keys()].toSorted()).toEqual(["mem_Berlin", "mem_Zurich"]);
    for (const { superseded, successors } of validity.values()) {
      expect([superseded, [...successors]]).toEqual(["all", ["mem_Oslo"]]);
    }
  });

  it("is told as of another day", () => {
    const validity = validityOf(FACTS, Date.parse("2025-06-01"));
    expect(validity.has("mem_Berlin")).toBe(false);
    expect([...(validity.get("mem_Zurich")?.successors ?? [])]).toEqual(["mem_Berlin"]);
  });

  it("is not the whole of a memory that says something else which holds", () => {
    const other = {
      ...livesIn("Zurich", "2024-01-01T00:00:00.000+00:00"),
      id: "fact_tea",
      attribute: "likes",
      value: "tea",
    };
    const tea = placeFacts([{ ...other, cardinality: "multiple" }], new Date("2026-06-01")) as PlacedFact[];
    expect(validityOf([...FACTS, ...tea], undefined).get("mem_Zurich")?.superseded).toBe("some");
  });
});

it.each([
  ["Where did I live before Berlin?", true],
  ["Wo habe ich früher gewohnt?", true],
  ["¿Dónde vivía antes?", true],
  ["Where do I live?", false],
  ["Wo wohne ich?", false],
])("says of %j whether it is about the past", (query, isPast) => {
  expect(isAboutPast(query)).toBe(isPast);
});
