import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { openService } from "../../../../test/support/service.ts";
import type { RecordStore } from "../../../ports/record-store.ts";
import { putFact, type StoredFact, slotOf } from "../../memory/facts/records.ts";
import { latestOfManySlots, latestOfSlots } from "./known-facts.ts";

const { runtime, close } = await openService();
afterAll(() => close());
const { records } = runtime.ports;

/** Names that sort differently as slots, as keys and as bytes. */
const NAMES = ["a", "a b", "a-b", "a#b", "a%b", "ab", "ä", "🦊", "z"];
const ATTRIBUTES = NAMES.flatMap((one) => NAMES.slice(0, 4).map((other) => `${one}${other}`));
const LIMIT = 20;

async function store(org: string, counts: number[]): Promise<void> {
  for (const [at, count] of counts.entries()) {
    const facts = Array.from({ length: count }, (_, day): StoredFact => {
      const said = {
        subject: "user",
        attribute: ATTRIBUTES[at] ?? "",
        value: "x",
        act: "state",
        cardinality: "single",
      };
      const observed_at = new Date(Date.UTC(2026, 0, 1 + day)).toISOString();
      const of = { org, user_id: "ada", memory_id: `mem_${at}`, id: `fact_${at}_${day}`, observed_at, content: "x" };
      const rest = { confidence: 1, span: { start: 0, end: 1 }, created_at: observed_at, version: 1 };
      return { ...said, ...of, ...rest } as StoredFact;
    });
    if (facts.length > 0) await records.write(...facts.map(putFact));
  }
}

function counting() {
  const count = { queries: 0 };
  const query: RecordStore["query"] = (asked) => {
    count.queries++;
    return records.query(asked);
  };
  return { count, ctx: (org: string) => ({ org, ports: { ...runtime.ports, records: { query } as RecordStore } }) };
}

const slotsOf = (places: number[]) => places.map((at) => slotOf({ subject: "user", attribute: ATTRIBUTES[at] ?? "" }));

it("reads the same of neighbouring slots together as of each alone", async () => {
  const sizes = fc.array(fc.oneof(fc.nat(4), fc.nat(80)), {
    minLength: ATTRIBUTES.length,
    maxLength: ATTRIBUTES.length,
  });
  const wanted = fc.shuffledSubarray(ATTRIBUTES.map((_, at) => at));
  let number = 0;
  await fc.assert(
    fc.asyncProperty(sizes, wanted, async (counts, places) => {
      const org = `org_${number++}`;
      await store(org, counts);
      const { count, ctx } = counting();
      const slots = [...new Set(slotsOf(places))];
      const together = await latestOfManySlots(ctx(org), "ada", slots, LIMIT);
      expect(count.queries).toBeLessThanOrEqual(slots.length + 3);
      expect(together).toEqual(await latestOfSlots(ctx(org), "ada", slots, LIMIT));
    }),
    { numRuns: 25 },
  );
});

it("needs three queries for many short slots", async () => {
  await store(
    "org_short",
    ATTRIBUTES.map(() => 3),
  );
  const { count, ctx } = counting();
  const slots = [...new Set(slotsOf(ATTRIBUTES.map((_, at) => at)))];
  await latestOfManySlots(ctx("org_short"), "ada", slots, LIMIT);
  expect(count.queries).toBeLessThanOrEqual(3);
});
