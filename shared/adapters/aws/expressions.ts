import { inBatches } from "../../kernel/parallel.ts";
import { allowsAbsentItem } from "../../ports/conditions.ts";
import type { Json } from "../../ports/json.ts";
import type { AttributeTest, AttributeTests, Condition, Write } from "../../ports/record-store.ts";
import { escapeNames } from "./attribute-names.ts";
import { TABLE_KEY, TTL_ATTRIBUTE } from "./table.ts";

/** Maximum operands of one `IN` in DynamoDB. */
const MAX_IN_OPERANDS = 100;

/** The placeholders of one request; attribute names and values never become expression text. */
export class Placeholders {
  readonly #names = new Map<string, string>();
  readonly #values = new Map<Json, string>();

  name(attribute: string): string {
    return placeholder(this.#names, attribute, "#n");
  }

  value(value: Json): string {
    return placeholder(this.#values, value, ":v");
  }

  /** The request members that define the placeholders; DynamoDB refuses empty ones. */
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
  const name = known.get(meaning) ?? `${prefix}${known.size}`;
  known.set(meaning, name);
  return name;
}

function inverted<Meaning>(placeholders: Map<Meaning, string>): Record<string, Meaning> {
  return Object.fromEntries([...placeholders].map(([meaning, name]) => [name, meaning]));
}

/** All clauses: AND binds tighter than OR, and OR groups already have parentheses. */
function allOf(clauses: string[]): string {
  return clauses.join(" AND ");
}

/** Any clause. DynamoDB refuses redundant parentheses, so a single clause has none. */
function anyOf(clauses: string[]): string {
  return clauses.length === 1 ? clauses.join() : `(${clauses.join(" OR ")})`;
}

/** True for an item that has not expired, and for a missing item. `now` is in epoch seconds. */
export function notExpired(now: number, placeholders: Placeholders): string {
  const ttl = placeholders.name(TTL_ATTRIBUTE);
  return anyOf([`attribute_not_exists(${ttl})`, `${ttl} > ${placeholders.value(now)}`]);
}

export function testExpression(tests: AttributeTests, placeholders: Placeholders): string {
  const clauses = Object.entries(tests).map(([attribute, test]) =>
    testHolds(placeholders.name(attribute), test, placeholders),
  );
  if (clauses.length === 0) throw new Error("attribute tests must name at least one attribute");
  return allOf(clauses);
}

function testHolds(name: string, test: AttributeTest, placeholders: Placeholders): string {
  if (typeof test !== "object") return `${name} = ${placeholders.value(test)}`;
  if ("oneOf" in test) return isOneOf(name, test.oneOf, placeholders);
  if ("containsAny" in test) return containsAny(name, test.containsAny, placeholders);
  if ("not" in test) return `${name} <> ${placeholders.value(test.not)}`;
  if ("absent" in test) return test.absent ? `attribute_not_exists(${name})` : `attribute_exists(${name})`;
  const bounds = [
    ["<", test.lessThan],
    ["<=", test.atMost],
    [">", test.greaterThan],
    [">=", test.atLeast],
  ] as const;
  const clauses = bounds.flatMap(([sign, bound]) =>
    bound === undefined ? [] : [`${name} ${sign} ${placeholders.value(bound)}`],
  );
  if (clauses.length === 0) throw new Error("a range test must have at least one bound");
  return test.orAbsent ? anyOf([`attribute_not_exists(${name})`, allOf(clauses)]) : allOf(clauses);
}

/** A clause that no item satisfies. */
function neverHolds(name: string): string {
  return allOf([`attribute_exists(${name})`, `attribute_not_exists(${name})`]);
}

function containsAny(name: string, values: string[], placeholders: Placeholders): string {
  if (values.length === 0) return neverHolds(name);
  return anyOf(values.map((value) => `contains(${name}, ${placeholders.value(value)})`));
}

function isOneOf(name: string, values: Json[], placeholders: Placeholders): string {
  if (values.length === 0) return neverHolds(name);
  const operands = values.map((value) => placeholders.value(value));
  return anyOf(inBatches(operands, MAX_IN_OPERANDS).map((batch) => `${name} IN (${batch.join(", ")})`));
}

/** An expired item, whose row may still exist, counts as absent. `now` is in epoch seconds. */
export function conditionHolds(condition: Condition, now: number, placeholders: Placeholders): string {
  const key = placeholders.name(TABLE_KEY.partition);
  const absent = () => [
    `attribute_not_exists(${key})`,
    `${placeholders.name(TTL_ATTRIBUTE)} <= ${placeholders.value(now)}`,
  ];
  const present = () => [`attribute_exists(${key})`, notExpired(now, placeholders)];
  if (condition === "absent") return anyOf(absent());
  if (condition === "present") return allOf(present());
  const held = testExpression(condition, placeholders);
  return allowsAbsentItem(condition) ? anyOf([...absent(), held]) : allOf([...present(), held]);
}

/** Whether an item without the attribute passes a query's test. */
export function passesWithout(test: AttributeTest): boolean {
  if (typeof test !== "object") return false;
  if ("absent" in test) return test.absent;
  return "not" in test || ("orAbsent" in test && test.orAbsent === true);
}

type Update = Extract<Write, { update: unknown }>;

/** Undefined if the update only creates the item. */
export function updateExpression(
  { set = {}, add = {}, remove = [] }: Update,
  placeholders: Placeholders,
): string | undefined {
  const clauses = [
    clause(
      "SET",
      Object.entries(set).map(
        ([attribute, value]) => `${placeholders.name(attribute)} = ${placeholders.value(escapeNames(value))}`,
      ),
    ),
    clause(
      "ADD",
      Object.entries(add).map(([attribute, amount]) => `${placeholders.name(attribute)} ${placeholders.value(amount)}`),
    ),
    clause(
      "REMOVE",
      remove.map((attribute) => placeholders.name(attribute)),
    ),
  ];
  return clauses.join(" ").trim() || undefined;
}

function clause(keyword: string, changes: string[]): string {
  return changes.length === 0 ? "" : `${keyword} ${changes.join(", ")}`;
}
