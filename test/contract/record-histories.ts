import fc from "fast-check";
import type { Json } from "../../shared/ports/json.ts";
import type { AttributeTest, AttributeTests, Condition, Write } from "../../shared/ports/record-store.ts";

/** A write without its partition. */
type DraftWrite = { sk: string; condition?: Condition } & (
  | { action: "put"; attributes: { [name: string]: Json } }
  | { action: "update"; set?: { [name: string]: Json }; add?: { [name: string]: number }; remove?: string[] }
  | { action: "delete" }
  | { action: "check"; condition: Condition }
);

/** Few keys and values, so that histories write the same record repeatedly and about half of the conditions hold. */
const SORT_KEYS = ["a", "b", "é", "😀"];

/** Attribute tests of queries at the end of a history. */
export const PROBES: AttributeTests[] = [
  { text: { atLeast: "b", orAbsent: true } },
  { number: { lessThan: 3 } },
  { number: { not: 2 } },
  { mixed: true },
  { mixed: { oneOf: ["true", 1, false] } },
  { category: { atLeast: "a" } },
  { category: { not: "b" } },
  { text: { containsAny: ["b", "😀"] } },
  { json: { containsAny: ["a", "tag"] } },
  { text: { absent: true }, number: { absent: false } },
];

const numbers = fc.integer({ min: -3, max: 5 });
const texts = fc.constantFrom("", "a", "b", "B", "é", "😀", "\u{fffd}");
const scalars = fc.oneof(texts, numbers, fc.boolean(), fc.constantFrom("true", "1"));
/** JSON without negative zeros and numbers with more digits than every store keeps. */
const json = fc.jsonValue({ maxDepth: 2 }).filter((value) => !/e[+-]|\d{16}|-0(?![.\d])/.test(JSON.stringify(value)));

const attributes: fc.Arbitrary<{ [name: string]: Json }> = fc
  .record(
    {
      text: texts,
      number: numbers,
      mixed: scalars,
      json,
      category: scalars,
      gsi1sk: fc.constantFrom("1", "2", "3"),
    },
    { requiredKeys: [] },
  )
  .map((chosen) => ({ ...chosen }) as { [name: string]: Json });

const orAbsent = fc.constant(true as const);
const attributeTests: fc.Arbitrary<AttributeTest> = fc.oneof(
  scalars,
  fc.record({ oneOf: fc.array(scalars, { maxLength: 3 }) }),
  fc.record({ containsAny: fc.array(fc.constantFrom("a", "b", "é", "😀"), { maxLength: 3 }) }),
  fc.record({ not: scalars }),
  fc.record({ absent: fc.boolean() }),
  fc.record({ lessThan: numbers, atLeast: numbers, orAbsent }, { requiredKeys: ["lessThan"] }),
  fc.record({ greaterThan: texts, atMost: texts, orAbsent }, { requiredKeys: ["greaterThan"] }),
);

const conditions: fc.Arbitrary<Condition> = fc.oneof(
  fc.constant("absent" as const),
  fc.constant("present" as const),
  fc
    .uniqueArray(fc.tuple(fc.constantFrom("text", "number", "mixed", "category"), attributeTests), {
      minLength: 1,
      maxLength: 2,
      selector: ([name]) => name,
    })
    .map((tests) => Object.fromEntries(tests)),
);

const sk = fc.constantFrom(...SORT_KEYS);
const drafts: fc.Arbitrary<DraftWrite> = fc.oneof(
  fc.record(
    { sk, action: fc.constant("put" as const), attributes, condition: conditions },
    { requiredKeys: ["sk", "action", "attributes"] },
  ),
  fc.record(
    {
      sk,
      action: fc.constant("update" as const),
      set: attributes,
      add: fc.record({ total: numbers }),
      remove: fc.uniqueArray(fc.constantFrom("gsi1pk", "old"), { maxLength: 2 }),
      condition: conditions,
    },
    { requiredKeys: ["sk", "action"] },
  ),
  fc.record({ sk, action: fc.constant("delete" as const), condition: conditions }, { requiredKeys: ["sk", "action"] }),
  fc.record({ sk, action: fc.constant("check" as const), condition: conditions }),
);

/** Up to twenty atomic writes of up to three records each. */
export const histories: fc.Arbitrary<DraftWrite[][]> = fc.array(
  fc.uniqueArray(drafts, { minLength: 1, maxLength: 3, selector: (draft) => draft.sk }),
  { minLength: 1, maxLength: 20 },
);

/** Returns the drafts as writes to one partition, which is also their gsi1 partition. */
export function writesOf(transaction: DraftWrite[], pk: string): Write[] {
  return transaction.map((draft) => writeOf(draft, pk));
}

function writeOf(draft: DraftWrite, pk: string): Write {
  const key = { pk, sk: draft.sk };
  const { condition } = draft;
  switch (draft.action) {
    case "put":
      return { put: { kind: "thing", gsi1pk: pk, ...draft.attributes, ...key }, condition };
    case "update":
      return { update: key, set: draft.set, add: draft.add, remove: draft.remove, condition };
    case "delete":
      return { delete: key, condition };
    case "check":
      return { check: key, condition: draft.condition };
  }
}
