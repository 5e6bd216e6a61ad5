import { isDeepStrictEqual } from "node:util";
import type { TransactWriteCommandInput } from "@aws-sdk/lib-dynamodb";
import type { Condition, Json, RecordKey, StoredRecord, Write } from "../../ports/ports.ts";
import { keyOf } from "../../ports/preconditions.ts";
import { conditionHolds, notExpired, Placeholders, updateExpression } from "./expressions.ts";
import { toTableItem } from "./item-format.ts";
import { TABLE_KEY } from "./table.ts";

export type TransactItem = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

/** A write in DynamoDB's form. A failed condition returns the existing item, saving a read. `now` is in seconds. */
export function toTransactItem(write: Write, table: string, now: number): TransactItem {
  const to = new Placeholders();
  const target = { TableName: table, ReturnValuesOnConditionCheckFailure: "ALL_OLD" } as const;
  const condition = (given: Condition | undefined) =>
    given === undefined ? {} : { ConditionExpression: conditionHolds(given, now, to) };
  if ("put" in write) {
    return { Put: { ...target, Item: toTableItem(write.put), ...condition(write.condition), ...to.members() } };
  }
  if ("delete" in write) {
    return { Delete: { ...target, Key: keyOf(write), ...condition(write.condition), ...to.members() } };
  }
  if ("check" in write) {
    const ConditionExpression = conditionHolds(write.condition, now, to);
    return { ConditionCheck: { ...target, Key: keyOf(write), ConditionExpression, ...to.members() } };
  }
  // An update would revive the attributes of an expired item that is not deleted yet, so it requires that there is no
  // such item.
  const fresh = notExpired(now, to);
  const ConditionExpression =
    write.condition === undefined ? fresh : `${fresh} AND ${conditionHolds(write.condition, now, to)}`;
  const UpdateExpression = updateExpression(write, to);
  return { Update: { ...target, Key: keyOf(write), UpdateExpression, ConditionExpression, ...to.members() } };
}

/** Whether an earlier attempt, whose response was lost, wrote the existing item. Unknown for additions. */
export function isDone(write: Write, met: StoredRecord | undefined): boolean {
  if ("put" in write) return isDeepStrictEqual(met, JSON.parse(JSON.stringify(write.put)));
  if ("delete" in write) return met === undefined;
  if ("check" in write || met === undefined || Object.keys(write.add ?? {}).length > 0) return false;
  return isSet(met, write.set ?? {}) && (write.remove ?? []).every((attribute) => met[attribute] === undefined);
}

function isSet(met: StoredRecord, values: { [attribute: string]: Json }): boolean {
  return Object.entries(values).every(([attribute, value]) => isDeepStrictEqual(met[attribute], value));
}

/** The removal of a row that expired by `now`, in epoch seconds, unless it was renewed. */
export function toEviction(key: RecordKey, table: string, now: number): NonNullable<TransactItem["Delete"]> {
  const to = new Placeholders();
  const ConditionExpression = `attribute_exists(${to.name(TABLE_KEY.partition)}) AND NOT ${notExpired(now, to)}`;
  return { TableName: table, Key: key, ConditionExpression, ...to.members() };
}
