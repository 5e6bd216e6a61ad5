import { describe, expect, it } from "vitest";
import type { PlacedFact } from "./fact-reader.ts";
import { predecessorsOf, validityOf } from "./fact-validity.ts";
import type { Observation } from "./facts/fact.ts";
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

  it("make a memory outdated if its other statements fit no slot", () => {
    const love = { id: "fact_open", attribute: "love", value: "the lake", cardinality: "open" as const };
    const lake = placed({ ...livesIn("Zurich", "2024-01-01"), ...love });
    const { superseded, isOutdated } = validityOf([...FACTS, ...lake], undefined).get("mem_Zurich") ?? {};
    expect([superseded, isOutdated]).toEqual(["some", true]);
  });

  describe("of statements without an attribute", () => {
    const statement = (memory: string, value: string, day: string) => ({
      ...livesIn("Zurich", day),
      ...{ id: `fact_${memory}_${value}`, memory_id: `mem_${memory}`, attribute: "", cardinality: "open" as const },
      ...{ value, content: value },
    });
    const rent = statement("old", "affitto del garage: 700 euro", "2026-01-01");
    const raised = statement("new", "affitto del garage: 750 euro", "2026-03-01");
    const view = statement("old", "vista sul lago", "2026-01-01");

    it("are reported if one fact replaces another", () => {
      const validity = validityOf(placed(rent, raised), undefined);
      expect([...validity]).toEqual([
        ["mem_old", { superseded: "all", isOutdated: true, successors: new Set(["mem_new"]) }],
      ]);
      expect(validityOf(placed(rent, raised), Date.parse("2026-02-01")).size).toBe(0);
    });

    it("are only some of a memory's facts if it states something else", () => {
      expect(validityOf(placed(rent, raised, view), undefined).get("mem_old")?.superseded).toBe("some");
    });

    it("do not count beside a value in a slot that has ended", () => {
      const beside = { ...view, memory_id: "mem_Zurich" };
      expect(validityOf([...FACTS, ...placed(beside)], undefined).get("mem_Zurich")?.superseded).toBe("all");
    });

    it("have no predecessors", () => {
      expect(predecessorsOf(placed(rent, raised, view), "What was it before?").size).toBe(0);
    });
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
  expect(new Set(predecessorsOf(FACTS, query).values())).toEqual(new Set([memory]));
});
