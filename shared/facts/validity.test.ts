import { describe, expect, it } from "vitest";
import type { Observation } from "./fact.ts";
import type { PlacedFact } from "./reader.ts";
import { placeFacts } from "./timeline.ts";
import { predecessorsOf, validityOf } from "./validity.ts";

function livesIn(value: string, observed_at: string): Observation & { content: string } {
  const id = `fact_${value}`;
  const said = { subject: "user", attribute: "lives_in", cardinality: "single" as const, value, act: "state" as const };
  return {
    ...said,
    id,
    content: `I live in ${value}.`,
    memory_id: `mem_${value}`,
    observed_at,
    confidence: 0.9,
    span: { start: 0, end: 1 },
  };
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

  it("is told of a memory that says nothing else but what no slot fits", () => {
    const open = {
      ...livesIn("Zurich", "2024-01-01T00:00:00.000+00:00"),
      id: "fact_open",
      attribute: "love",
      value: "the lake",
      cardinality: "open" as const,
    };
    const placed = placeFacts([open], new Date("2026-06-01")) as PlacedFact[];
    const { superseded, isOutdated } = validityOf([...FACTS, ...placed], undefined).get("mem_Zurich") ?? {};
    expect([superseded, isOutdated]).toEqual(["some", true]);
  });

  it("is told of a plan by what became of the thing that it is for", () => {
    const plan = { ...livesIn("Lisbon", "2026-01-01T00:00:00.000+00:00"), act: "plan" as const, attribute: "plan" };
    const slot = { ...plan, id: "fact_status", subject: "Lisbon", attribute: "status_of Lisbon", value: "planned" };
    const off = { ...slot, id: "fact_off", memory_id: "mem_off", act: "state" as const, value: "off" };
    const said = { ...off, observed_at: "2026-02-01T00:00:00.000+00:00" };
    const now = new Date("2026-06-01");
    const plans = placeFacts([{ ...plan, subject: "Thalia", cardinality: "multiple" }], now);
    const facts = [...plans, ...placeFacts([slot, said], now)] as PlacedFact[];
    expect(validityOf(facts, undefined).get("mem_Lisbon")?.successors).toEqual(new Set(["mem_off"]));
  });
});

it.each([
  ["Where did I live before?", "mem_Berlin"],
  ["Where did I live before Berlin?", "mem_Zurich"],
  ["Where did I live before Oslo?", "mem_Berlin"],
])("answers %j by %s", (query, memory) => {
  expect(new Set(predecessorsOf(FACTS, query).values())).toEqual(new Set([memory]));
});
