import { describe, expect, it } from "vitest";
import { Query } from "../../language/questions/query.ts";
import type { Observation } from "../../language/slots/fact.ts";
import type { PlacedFact } from "./fact-reader.ts";
import { predecessorsOf, validityOf } from "./fact-validity.ts";
import { placeFacts } from "./facts/timeline/timeline.ts";

function livesIn(value: string, day: string): Observation & { content: string } {
  const id = `fact_${value}`;
  const observed_at = `${day}T00:00:00.000+00:00`;
  const said = { subject: "user", attribute: "lives_in", cardinality: "single" as const, value, act: "state" as const };
  const stated = { content: `I live in ${value}.`, memory_id: `mem_${value}`, observed_at };
  return { ...said, ...stated, id, confidence: 0.9, span: { start: 0, end: 1 } };
}

const placed = (...all: Observation[]) => placeFacts(all, new Date("2026-06-01")) as PlacedFact[];
const FACTS = placed(livesIn("Zurich", "2024-01-01"), livesIn("Berlin", "2025-01-01"), livesIn("Oslo", "2026-01-01"));

describe("facts that no longer hold", () => {
  it("are returned with the current value", () => {
    const validity = validityOf(FACTS, undefined);
    expect([...validity.keys()].toSorted()).toEqual(["mem_Berlin", "mem_Zurich"]);
    for (const { superseded, successors } of validity.values()) {
      expect([superseded, [...successors]]).toEqual(["all", ["mem_Oslo"]]);
    }
  });

  it("are determined as of another day", () => {
    const validity = validityOf(FACTS, Date.parse("2025-06-01"));
    expect(validity.has("mem_Berlin")).toBe(false);
    expect([...(validity.get("mem_Zurich")?.successors ?? [])]).toEqual(["mem_Berlin"]);
  });

  it("are only some of a memory's facts if another one still holds", () => {
    const likes = { id: "fact_tea", attribute: "likes", value: "tea", cardinality: "multiple" as const };
    const tea = placed({ ...livesIn("Zurich", "2024-01-01"), ...likes });
    expect(validityOf([...FACTS, ...tea], undefined).get("mem_Zurich")?.superseded).toBe("some");
  });

  it("include a plan whose subject was cancelled", () => {
    const plan = { ...livesIn("Lisbon", "2026-01-01"), act: "plan" as const, attribute: "plan" };
    const slot = { ...plan, id: "fact_status", subject: "Lisbon", attribute: "status_of Lisbon", value: "planned" };
    const off = { ...slot, id: "fact_off", memory_id: "mem_off", act: "state" as const, value: "off" };
    const said = { ...off, observed_at: "2026-02-01T00:00:00.000+00:00" };
    const facts = [...placed({ ...plan, subject: "Thalia", cardinality: "multiple" }), ...placed(slot, said)];
    expect(validityOf(facts, undefined).get("mem_Lisbon")?.successors).toEqual(new Set(["mem_off"]));
  });
});

it.each([
  ["Where did I live before?", "mem_Berlin"],
  ["Where did I live before Berlin?", "mem_Zurich"],
  ["Where did I live before Oslo?", "mem_Berlin"],
])("answers %j by %s", (query, memory) => {
  expect(new Set(predecessorsOf(FACTS, new Query(query)).values())).toEqual(new Set([memory]));
});
