import type { AttributeTest, AttributeTests, Condition, Json, Write } from "../ports.ts";
import { TABLE_KEY, TTL_ATTRIBUTE } from "./table.ts";

/** Most operands that DynamoDB takes in one `IN`. */
const MAX_IN_OPERANDS = 100;

/** The placeholders of one request: attribute names and values never become expression text themselves. */
export class Placeholders {
  readonly #names = new Map<string, string>();
  readonly #values = new Map<Json, string>();

  name(attribute: string): string {
    return placeholder(this.#names, attribute, "#n");
  }

  value(value: Json): string {
    return placeholder(this.#values, value, ":v");
  }

  /** The members of a request that say what the placeholders stand for; DynamoDB refuses empty ones. */
  members(): {
    ExpressionAttributeNames?: Record<string, string>;
    ExpressionAttributeValues?: Record<string, Json>;
  } {
    return {
      ...(this.#names.size > 0 && { ExpressionAttributeNames: inverted(this.#names) }),
      ...(this.#values.size > 0 && { ExpressionAttributeValues: inverted(this.#values) }),
    };
  }
}

function placeholder<Meaning>(known: Map<Meaning, string>, meaning: Meaning, prefix: string): string {
  const given = known.get(meaning) ?? `${prefix}${known.size}`;
  known.set(meaning, given);
  return given;
}

function inverted<Meaning>(placeholders: Map<Meaning, string>): Record<string, Meaning> {
  return Object.fromEntries([...placeholders].map(([meaning, name]) => [name, meaning]));
}

/** True of an item that has not expired; also of no item at all. `now` is in epoch seconds. */
export function notExpired(now: number, to: Placeholders): string {
  const ttl = to.name(TTL_ATTRIBUTE);
  return `(attribute_not_exists(${ttl}) OR ${ttl} > ${to.value(now)})`;
}

export function testsHold(tests: AttributeTests, to: Placeholders): string {
  const clauses = Object.entries(tests).map(([attribute, test]) => testHolds(to.name(attribute), test, to));
  if (clauses.length === 0) throw new Error("attribute tests must name at least one attribute");
  return clauses.join(" AND ");
}

function testHolds(name: string, test: AttributeTest, to: Placeholders): string {
  if (typeof test !== "object") return `${name} = ${to.value(test)}`;
  if ("oneOf" in test) return isOneOf(name, test.oneOf, to);
  if ("not" in test) return `${name} <> ${to.value(test.not)}`;
  if ("absent" in test) return test.absent ? `attribute_not_exists(${name})` : `attribute_exists(${name})`;
  const bounds = [
    ["<", test.lessThan],
    ["<=", test.atMost],
    [">", test.greaterThan],
    [">=", test.atLeast],
  ] as const;
  const clauses = bounds.flatMap(([sign, bound]) =>
    bound === undefined ? [] : [`${name} ${sign} ${to.value(bound)}`],
  );
  if (clauses.length === 0) throw new Error("a range test must have at least one bound");
  const within = clauses.join(" AND ");
  return test.orAbsent ? `(attribute_not_exists(${name}) OR (${within}))` : within;
}

function isOneOf(name: string, values: Json[], to: Placeholders): string {
  if (values.length === 0) return `(attribute_exists(${name}) AND attribute_not_exists(${name}))`;
  const groups: string[] = [];
  for (let start = 0; start < values.length; start += MAX_IN_OPERANDS) {
    const operands = values.slice(start, start + MAX_IN_OPERANDS).map((value) => to.value(value));
    groups.push(`${name} IN (${operands.join(", ")})`);
  }
  return `(${groups.join(" OR ")})`;
}

/** An expired item, whose row may still be there, counts as absent. `now` is in epoch seconds. */
export function conditionHolds(condition: Condition, now: number, to: Placeholders): string {
  const exists = `attribute_exists(${to.name(TABLE_KEY.partition)}) AND ${notExpired(now, to)}`;
  if (condition === "present") return exists;
  const absent = `(attribute_not_exists(${to.name(TABLE_KEY.partition)}) OR ${to.name(TTL_ATTRIBUTE)} <= ${to.value(now)})`;
  if (condition === "absent") return absent;
  const held = testsHold(condition, to);
  return mayCreate(condition) ? `(${absent} OR (${held}))` : `${exists} AND ${held}`;
}

/** Whether an absent item passes: every test must allow an absent attribute by name. */
function mayCreate(tests: AttributeTests): boolean {
  return Object.values(tests).every(
    (test) => typeof test === "object" && (("absent" in test && test.absent) || ("orAbsent" in test && test.orAbsent)),
  );
}

type Update = Extract<Write, { update: unknown }>;

/** Undefined when there is nothing to change but to make the item exist. */
export function updateExpression({ set = {}, add = {}, remove = [] }: Update, to: Placeholders): string | undefined {
  const clauses = [
    clause(
      "SET",
      Object.entries(set).map(([attribute, value]) => `${to.name(attribute)} = ${to.value(value)}`),
    ),
    clause(
      "ADD",
      Object.entries(add).map(([attribute, amount]) => `${to.name(attribute)} ${to.value(amount)}`),
    ),
    clause(
      "REMOVE",
      remove.map((attribute) => to.name(attribute)),
    ),
  ];
  return clauses.join(" ").trim() || undefined;
}

function clause(keyword: string, changes: string[]): string {
  return changes.length === 0 ? "" : `${keyword} ${changes.join(", ")}`;
}
