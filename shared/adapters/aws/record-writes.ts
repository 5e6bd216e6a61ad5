import { isDeepStrictEqual } from "node:util";
import type { TransactWriteCommandInput } from "@aws-sdk/lib-dynamodb";
import type { Json } from "../../ports/json.ts";
import { keyOf } from "../../ports/preconditions.ts";
import type { Condition, RecordKey, StoredRecord, Write } from "../../ports/record-store.ts";
import { conditionHolds, notExpired, Placeholders, updateExpression } from "./expressions.ts";
import { toTableItem } from "./item-format.ts";
import { TABLE_KEY } from "./table.ts";

export type TransactItem = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

/** A write in DynamoDB's form. A failed condition returns the existing item, saving a read. `now` is in seconds. */
export function toTransactItem(write: Write, table: string, now: number): TransactItem {
  const placeholders = new Placeholders();
  const target = { TableName: table, ReturnValuesOnConditionCheckFailure: "ALL_OLD" } as const;
  const condition = (given: Condition | undefined) =>
    given === undefined ? {} : { ConditionExpression: conditionHolds(given, now, placeholders) };
  if ("put" in write) {
    return {
      Put: { ...target, Item: toTableItem(write.put), ...condition(write.condition), ...placeholders.members() },
    };
  }
  if ("delete" in write) {
    return { Delete: { ...target, Key: keyOf(write), ...condition(write.condition), ...placeholders.members() } };
  }
  if ("check" in write) {
    const ConditionExpression = conditionHolds(write.condition, now, placeholders);
    return { ConditionCheck: { ...target, Key: keyOf(write), ConditionExpression, ...placeholders.members() } };
  }
  // An update would revive the attributes of an expired item that is not deleted yet, so it requires that there is no
  // such item.
  const fresh = notExpired(now, placeholders);
  const ConditionExpression =
    write.condition === undefined ? fresh : `${fresh} AND ${conditionHolds(write.condition, now, placeholders)}`;
  const UpdateExpression = updateExpression(write, placeholders);
  return { Update: { ...target, Key: keyOf(write), UpdateExpression, ConditionExpression, ...placeholders.members() } };
}

/** Whether an earlier attempt, whose response was lost, wrote the existing item. False for additions, which leave no trace. */
export function isDone(write: Write, existing: StoredRecord | undefined): boolean {
  if ("put" in write) return isDeepStrictEqual(existing, JSON.parse(JSON.stringify(write.put)));
  if ("delete" in write) return existing === undefined;
  if ("check" in write || existing === undefined || Object.keys(write.add ?? {}).length > 0) return false;
  return (
    isSet(existing, write.set ?? {}) && (write.remove ?? []).every((attribute) => existing[attribute] === undefined)
  );
}

function isSet(existing: StoredRecord, values: { [attribute: string]: Json }): boolean {
  return Object.entries(values).every(([attribute, value]) => isDeepStrictEqual(existing[attribute], value));
}

/** The removal of a row that expired by `now`, in epoch seconds, unless it was renewed. */
export function toEviction(key: RecordKey, table: string, now: number): NonNullable<TransactItem["Delete"]> {
  const placeholders = new Placeholders();
  const partition = placeholders.name(TABLE_KEY.partition);
  const ConditionExpression = `attribute_exists(${partition}) AND NOT ${notExpired(now, placeholders)}`;
  return { TableName: table, Key: key, ConditionExpression, ...placeholders.members() };
}
