import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LINEAR, orderOfGrowth } from "../../../../../test/support/processor-time.ts";
import type { Act, Cardinality, Observation } from "../../../../language/slots/fact.ts";
import { slotKey } from "../../../../language/slots/slot-key.ts";
import { placeFacts, statusAt } from "./timeline.ts";

const NOW = new Date("2026-11-20T00:00:00Z");
let count = 0;

function observed(day: string, value: string, more: Partial<Observation> = {}): Observation {
  const id = more.id ?? `fact_${String(++count).padStart(3, "0")}`;
  const base = { subject: "user", attribute: "lives_in", cardinality: "single" as Cardinality, act: "state" as Act };
  const where = { memory_id: `mem_${id}`, span: { start: 0, end: 1 }, confidence: 0.8 };
  return { ...base, ...where, id, value, observed_at: `${day}T09:00:00Z`, ...more };
}

const placed = (observations: Observation[], now = NOW) =>
  placeFacts(observations, now).map(({ value, status, valid_from, valid_to }) =>
    [value, status, valid_from.slice(0, 10), valid_to?.slice(0, 10)].filter((part) => part !== undefined).join(" "),
  );

const day = fc
  .tuple(fc.integer({ min: 0, max: 11 }), fc.integer({ min: 1, max: 5 }))
  .map(([month, date]) => new Date(Date.UTC(2026, month, date)).toISOString().slice(0, 10));
const city = fc.constantFrom("Berlin", "Zurich", "Rome", "Lisbon", "Oslo");
const statement = fc.record(
  {
    said: day,
    value: fc.oneof({ weight: 9, arbitrary: city }, { weight: 1, arbitrary: fc.constant("") }),
    act: fc.constantFrom<Act>("state", "state", "state", "end", "plan", "cancel", "correct"),
    valid_from: day,
    valid_to: day,
    replaces: city,
    decision: fc.constantFrom("retracted" as const, "restored" as const),
  },
  { requiredKeys: ["said", "value", "act"] },
);
const historyOf = (cardinality: Cardinality) =>
  fc
    .array(statement, { minLength: 3, maxLength: 14 })
    .map((all) => all.map(({ said, value, ...more }) => observed(said, value, { ...more, cardinality })));
const undecided = historyOf("single").map((all) => all.map(({ decision: _, ...rest }): Observation => rest));

describe("placeFacts", () => {
  it.each(["single", "multiple"] as const)("places %s values alike in any order of arrival", (cardinality) => {
    const arrivals = historyOf(cardinality).chain((history) =>
      fc.tuple(fc.constant(history), fc.shuffledSubarray(history, { minLength: history.length })),
    );
    const property = fc.property(arrivals, ([history, arrived]) => {
      expect(placeFacts(arrived, NOW)).toEqual(placeFacts(history, NOW));
    });
    fc.assert(property, { numRuns: 1000 });
  });

  it("gives the same facts again once a deleted statement or a decision is undone", () => {
    const property = fc.property(undecided, ([gone, ...kept]) => {
      const without = placeFacts(kept, NOW);
      const retracted = placeFacts([{ ...gone!, decision: "retracted" }, ...kept], NOW);
      expect(retracted.filter(({ id }) => id !== gone!.id)).toEqual(without);
      expect(placeFacts([...kept, gone!], NOW)).toEqual(placeFacts([gone!, ...kept], NOW));
    });
    fc.assert(property, { numRuns: 200 });
  });

  it("changes nothing about what it is given, and holds one current value of a slot", () => {
    const property = fc.property(undecided, (observations) => {
      const copy = structuredClone(observations);
      const facts = placeFacts(observations, NOW);
      expect(observations).toEqual(copy);
      const current = facts.filter(({ status, valid_to }) => status === "current" && valid_to === undefined);
      expect(new Set(current.map(({ value }) => value)).size).toBeLessThanOrEqual(1);
    });
    fc.assert(property, { numRuns: 200 });
  });

  it.each<[string, Observation[], string[]]>([
    [
      "closes a value where the next one begins, and opens a new interval for one that comes back",
      [observed("2026-01-01", "Paris"), observed("2026-02-01", "Rome"), observed("2026-06-01", "Paris")],
      ["Paris superseded 2026-01-01 2026-02-01", "Rome superseded 2026-02-01 2026-06-01", "Paris current 2026-06-01"],
    ],
    [
      "continues the interval of a repeated value",
      [observed("2026-01-01", "Berlin"), observed("2026-05-01", "Berlin")],
      ["Berlin current 2026-01-01", "Berlin current 2026-01-01"],
    ],
    [
      "puts an older statement that arrives late into the past",
      [observed("2026-09-01", "Tesla"), observed("2019-03-01", "Fiat Panda")],
      ["Fiat Panda superseded 2019-03-01 2026-09-01", "Tesla current 2026-09-01"],
    ],
    [
      "keeps the current value when an earlier one is mentioned",
      [observed("2026-01-01", "Berlin"), observed("2026-05-01", "Zurich", { act: "end", valid_to: "2026-05-01" })],
      ["Berlin current 2026-01-01", "Zurich past 2026-05-01 2026-05-01"],
    ],
    [
      "retracts what a correction says is wrong, and gives its time to the right value",
      [observed("2026-01-01", "5 May"), observed("2026-02-01", "6 May", { act: "correct", replaces: "5 May" })],
      ["5 May retracted 2026-01-01", "6 May current 2026-01-01"],
    ],
  ])("%s", (_title, observations, expected) => expect(placed(observations)).toEqual(expected));

  it("places a recent change after a value without a start, even if both are stated on the same day", () => {
    const home = observed("2026-05-10", "Berlin");
    const moved = observed("2026-05-10", "Hamburg", { valid_from: "2026-05-03", memory_id: "mem_later" });
    const expected = ["Berlin superseded 2026-05-03 2026-05-03", "Hamburg current 2026-05-03"];
    expect(placed([home, moved])).toEqual(expected);
    expect(placed([moved, home])).toEqual(expected);
  });

  it.each([
    ["happened years ago", "2019-01-01"],
    ["is stated before the value", "2026-05-03", "2026-05-09"],
  ])("keeps the start of a value if the change %s", (_, valid_from, said = "2026-05-12") => {
    const facts = placed([observed("2026-05-10", "Berlin"), observed(said, "Hamburg", { valid_from })]);
    expect(facts.at(-1)).toBe("Berlin current 2026-05-10");
  });

  it("has a guess only where it closes another value, or is closed by one", () => {
    const guess = { is_guess: true };
    expect(placed([observed("2026-03-01", "Rome", guess)])).toEqual([]);
    expect(placed([observed("2026-03-01", "Rome"), observed("2026-05-01", "Oslo", guess)])).toEqual([
      "Rome superseded 2026-03-01 2026-05-01",
      "Oslo current 2026-05-01",
    ]);
    expect(placed([observed("2026-03-01", "Rome", guess), observed("2026-05-01", "Oslo")])).toHaveLength(2);
    expect(placed([observed("2026-03-01", "Rome", { confidence: 0.2 })])).toHaveLength(1);
  });

  it("keeps the start that a value states itself", () => {
    const facts = placed([
      observed("2026-05-10", "Berlin", { valid_from: "2026-05-08" }),
      observed("2026-05-12", "Hamburg", { valid_from: "2026-05-03" }),
    ]);
    expect(facts).toEqual(["Hamburg superseded 2026-05-03 2026-05-08", "Berlin current 2026-05-08"]);
  });

  it.each(["single", "multiple"] as const)("ends %s values if their recent end is stated later", (cardinality) => {
    const facts = placed([
      observed("2026-05-10", "Rex", { cardinality }),
      observed("2026-05-10", "Bella", { cardinality, valid_from: "2026-05-05" }),
      observed("2026-05-12", "Rex", { cardinality, act: "end", valid_to: "2026-05-04" }),
    ]);
    expect(facts).toContain("Rex superseded 2026-05-04 2026-05-04");
    expect(facts.at(-1)).toBe("Bella current 2026-05-05");
  });

  it("orders the statements of one memory by their places in it", () => {
    const one = { memory_id: "mem_one" };
    const facts = placed([
      observed("2026-05-10", "Monday", { ...one, id: "fact_b", span: { start: 0, end: 9 } }),
      observed("2026-05-10", "Tuesday", { ...one, id: "fact_a", span: { start: 10, end: 19 } }),
    ]);
    expect(facts).toEqual(["Monday superseded 2026-05-10 2026-05-10", "Tuesday current 2026-05-10"]);
  });

  it("lets a value that begins later hold from its day on", () => {
    const prices = [observed("2026-06-01", "49"), observed("2026-10-01", "59", { valid_from: "2027-01-01" })];
    expect(placed(prices)).toEqual(["49 current 2026-06-01 2027-01-01", "59 planned 2027-01-01"]);
    expect(placed(prices, new Date("2027-02-01"))).toEqual([
      "49 superseded 2026-06-01 2027-01-01",
      "59 current 2027-01-01",
    ]);
  });

  it("calls off a value that begins later, if that is said before its day", () => {
    const move = observed("2026-06-01", "Oslo", { valid_from: "2026-09-01" });
    const home = observed("2026-01-01", "Berlin");
    const off = observed("2026-07-01", "Oslo", { act: "cancel" });
    const left = observed("2026-10-01", "Oslo", { act: "end" });
    expect(placed([home, move])).toEqual(["Berlin superseded 2026-01-01 2026-09-01", "Oslo current 2026-09-01"]);
    expect(placed([home, move, off])).toContain("Berlin current 2026-01-01");
    expect(placed([home, move, off])).toContain("Oslo superseded 2026-09-01 2026-07-01");
    expect(placed([home, move, left])).toContain("Oslo superseded 2026-09-01 2026-10-01");
  });

  it("calls off the plan that a cancellation speaks of, and ends one whose day has passed", () => {
    const plan = { attribute: "plan", cardinality: "multiple", act: "plan" } as const;
    const facts = placed([
      observed("2026-10-01", "flying to Tokyo on December 5th", { ...plan, valid_from: "2026-12-05" }),
      observed("2026-10-02", "dinner with Eva", { ...plan, valid_from: "2026-10-09" }),
      observed("2026-11-10", "Tokyo trip", { ...plan, act: "cancel" }),
    ]);
    expect(facts).toContain("dinner with Eva past 2026-10-09 2026-10-10");
    expect(facts).toContain("flying to Tokyo on December 5th superseded 2026-12-05 2026-11-10");
  });

  it("keeps a plan whose day is over when the same is planned again", () => {
    const plan = { attribute: "plan", cardinality: "multiple", act: "plan" } as const;
    const facts = placed([
      observed("2026-03-01", "check-up with Dr Ba", { ...plan, valid_from: "2026-03-10" }),
      observed("2026-08-01", "check-up with Dr Ba", { ...plan, valid_from: "2026-12-10" }),
    ]);
    expect(facts).toEqual(["check-up with Dr Ba past 2026-03-10 2026-03-11", "check-up with Dr Ba planned 2026-12-10"]);
  });

  it("ends values of many one by one", () => {
    const likes = { attribute: "likes", cardinality: "multiple" } as const;
    const facts = placed([
      observed("2026-01-01", "olives", likes),
      observed("2026-01-02", "jazz", likes),
      observed("2026-03-01", "olives", { ...likes, act: "end" }),
    ]);
    expect(facts.slice(0, 2)).toEqual(["olives superseded 2026-01-01 2026-03-01", "jazz current 2026-01-02"]);
  });

  it("places many statements of one slot in proportion to their number", async () => {
    const many = (size: number) =>
      Array.from({ length: size }, (_, index) =>
        observed("2026-01-01", `value ${index % 50}`, {
          cardinality: "multiple",
          act: index % 3 === 0 ? "end" : "state",
        }),
      );
    const placing = (size: number) => {
      const observations = many(size);
      return () => placeFacts(observations, NOW);
    };
    expect(await orderOfGrowth([2_000, 20_000], placing, LINEAR)).toBeLessThanOrEqual(LINEAR);
  });
});

describe("statusAt", () => {
  it("tells what held at a moment", () => {
    const facts = placeFacts([observed("2026-01-01", "Paris"), observed("2026-02-01", "Rome")], NOW);
    const at = (day: string) => statusAt(facts, new Date(day)).map(({ value, status }) => `${value} ${status}`);
    expect(at("2026-01-15")).toEqual(["Paris current"]);
    expect(at("2026-03-15")).toEqual(["Rome current"]);
    expect(at("2025-03-15")).toEqual([]);
  });
});

describe("slotKey", () => {
  it("is the same for a thing's property with any subject", () => {
    const keys = [
      slotKey("user", "port_of route-planner"),
      slotKey("route-planner", "port_of Route Planner"),
      slotKey("the route planner", "port_of the route planner"),
    ];
    expect(new Set(keys).size).toBe(1);
    expect(slotKey("Pilar", "dose_of ramipril")).not.toBe(slotKey("user", "dose_of ramipril"));
    expect(slotKey("The Billing Service ", "status")).toBe(slotKey("billing service", "status"));
  });
});
