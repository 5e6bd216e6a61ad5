import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { fromCursor, toCursor } from "../../ports/cursor.ts";
import { BackendBusyError } from "../../ports/errors.ts";
import type { Json } from "../../ports/json.ts";
import type { UpgradePage } from "../../ports/record-inventory.ts";
import type { RecordKey, StoredRecord } from "../../ports/record-store.ts";
import { itemVersion, replaceItem, upgradeItem } from "../../runtime/upgrades/item-upgrade.ts";
import { ITEM_STEPS } from "../../runtime/upgrades/steps/item-steps.ts";
import { escapeNames, FORMAT_MARK, fromTable, RESTORED_MARK } from "./attribute-names.ts";
import { attempts } from "./backoff.ts";
import { Placeholders, testExpression } from "./expressions.ts";
import { toTableItem, versionOf } from "./item-format.ts";
import { isTransient, refusals } from "./record-faults.ts";
import { TABLE_KEY } from "./table.ts";

/** Every item of the table is JSON. */
type Item = { [attribute: string]: Json };

interface Table {
  client: DynamoDBDocumentClient;
  name: string;
}

/** Upgrades items of earlier versions page by page; repeating a page changes nothing. */
export async function upgradeItemsOf(table: Table, limit: number, after: string | undefined): Promise<UpgradePage> {
  const placeholders = new Placeholders();
  const {
    Items = [],
    LastEvaluatedKey,
    ScannedCount = 0,
  } = await table.client.send(
    new ScanCommand({
      TableName: table.name,
      ConsistentRead: true,
      FilterExpression: testExpression(
        { kind: { oneOf: [...new Set(ITEM_STEPS.flatMap(({ kinds }) => kinds))] } },
        placeholders,
      ),
      Limit: limit,
      ExclusiveStartKey: after === undefined ? undefined : fromCursor<Item>(after),
      ...placeholders.members(),
    }),
  );
  let upgraded = 0;
  for (const item of Items) if (await upgradeStored(table, item as Item)) upgraded += 1;
  return { checked: ScannedCount, upgraded, ...(LastEvaluatedKey && { cursor: toCursor(LastEvaluatedKey) }) };
}

/** Upgrades an item; returns whether it needed an upgrade. Retries with the current item after a concurrent write. */
async function upgradeStored(table: Table, found: Item): Promise<boolean> {
  let item: Item | undefined = found;
  for await (const _attempt of attempts()) {
    if (item === undefined) return false;
    const record = fromTable(item as StoredRecord);
    const result = upgradeItem(record, versionOf(item));
    const replacement = replaceItem(result?.record ?? record);
    if (result === undefined && replacement === undefined) return false;
    try {
      for (const additional of result?.additional ?? []) await putAbsent(table, additional);
      if (replacement) await replace(table, item, replacement);
      else if (result) await addAttributes(table, item, escapeNames(result.record) as Item);
      return true;
    } catch (error) {
      if (refusals(error).length === 0 && !isTransient(error)) throw error;
    }
    const key: RecordKey = { pk: record.pk, sk: record.sk };
    item = (await table.client.send(new GetCommand({ TableName: table.name, Key: { ...key }, ConsistentRead: true })))
      .Item as Item | undefined;
  }
  throw new BackendBusyError(`other writers kept changing the item ${found.pk}/${found.sk}`);
}

/** Stores an item's replacement in one transaction, refused if the item changed since it was read. */
async function replace({ client, name }: Table, item: Item, replacement: StoredRecord[]): Promise<void> {
  const { pk, sk } = item;
  const isOwn = (record: StoredRecord) => record.pk === pk && record.sk === sk;
  const puts = replacement.map((record) => {
    const Item = { ...toTableItem(record), ...(!isOwn(record) && { [RESTORED_MARK]: true }) };
    return { Put: { TableName: name, Item, ...(isOwn(record) && unchanged(item)) } };
  });
  const removal = { Delete: { TableName: name, Key: { pk, sk }, ...unchanged(item) } };
  const TransactItems = replacement.some(isOwn) ? puts : [removal, ...puts];
  await client.send(new TransactWriteCommand({ TransactItems }));
}

/** The members of a request that make it fail if the item changed since it was read. */
function unchanged(item: Item) {
  const placeholders = new Placeholders();
  const ConditionExpression = unchangedConditions(item, placeholders).join(" AND ");
  return { ConditionExpression, ...placeholders.members() };
}

/** Conditions that hold while the item exists and is unchanged since it was read. */
function unchangedConditions({ pk: _pk, sk: _sk, ...seen }: Item, placeholders: Placeholders): string[] {
  return [
    `attribute_exists(${placeholders.name(TABLE_KEY.partition)})`,
    ...Object.entries(seen).map(
      ([attribute, value]) => `${placeholders.name(attribute)} = ${placeholders.value(value)}`,
    ),
  ];
}

/** Adds missing attributes if the item is unchanged, so that no concurrent write is lost. */
async function addAttributes({ client, name }: Table, item: Item, upgraded: Item): Promise<void> {
  const placeholders = new Placeholders();
  const { pk, sk } = item;
  const added = Object.keys(upgraded).filter((attribute) => !(attribute in item));
  const conditions = [
    ...unchangedConditions(item, placeholders),
    ...added.map((attribute) => `attribute_not_exists(${placeholders.name(attribute)})`),
  ];
  const changes = added.map(
    (attribute) => `${placeholders.name(attribute)} = ${placeholders.value(upgraded[attribute] ?? null)}`,
  );
  changes.push(`${placeholders.name(FORMAT_MARK)} = ${placeholders.value(itemVersion())}`);
  await client.send(
    new UpdateCommand({
      TableName: name,
      Key: { pk, sk },
      UpdateExpression: `SET ${changes.join(", ")}`,
      ConditionExpression: conditions.join(" AND "),
      ...placeholders.members(),
    }),
  );
}

/** Stores an additional record of an upgraded one, unless it exists; stream readers ignore it. */
async function putAbsent({ client, name }: Table, record: StoredRecord): Promise<void> {
  const ConditionExpression = `attribute_not_exists(${TABLE_KEY.partition})`;
  const Item = { ...toTableItem(record), [RESTORED_MARK]: true };
  try {
    await client.send(new PutCommand({ TableName: name, Item, ConditionExpression }));
  } catch (error) {
    if (refusals(error).length === 0) throw error;
  }
}
