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
import type { Json, RecordKey, StoredRecord, UpgradePage } from "../../ports/ports.ts";
import { ITEM_STEPS } from "../../runtime/upgrades/item-steps.ts";
import { itemVersion, replaceItem, upgradeItem } from "../../runtime/upgrades/item-upgrade.ts";
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
  const to = new Placeholders();
  const {
    Items = [],
    LastEvaluatedKey,
    ScannedCount = 0,
  } = await table.client.send(
    new ScanCommand({
      TableName: table.name,
      ConsistentRead: true,
      FilterExpression: testExpression({ kind: { oneOf: [...new Set(ITEM_STEPS.flatMap(({ kinds }) => kinds))] } }, to),
      Limit: limit,
      ExclusiveStartKey: after === undefined ? undefined : fromCursor<Item>(after),
      ...to.members(),
    }),
  );
  let upgraded = 0;
  for (const item of Items) if (await upgradeStored(table, item as Item)) upgraded += 1;
  return { checked: ScannedCount, upgraded, ...(LastEvaluatedKey && { cursor: toCursor(LastEvaluatedKey) }) };
}

/** Returns whether there was anything to do. Retries with the current item after a concurrent write. */
async function upgradeStored(table: Table, found: Item): Promise<boolean> {
  let item: Item | undefined = found;
  for await (const _attempt of attempts()) {
    if (item === undefined) return false;
    const record = fromTable(item as StoredRecord);
    const result = upgradeItem(record, versionOf(item));
    const replacement = replaceItem(result?.record ?? record);
    if (result === undefined && replacement === undefined) return false;
    try {
      for (const beside of result?.beside ?? []) await putAbsent(table, beside);
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

function unchanged(item: Item) {
  const to = new Placeholders();
  const ConditionExpression = sameAs(item, to).join(" AND ");
  return { ConditionExpression, ...to.members() };
}

/** Conditions that hold while the item exists and is unchanged since it was read. */
function sameAs({ pk: _pk, sk: _sk, ...seen }: Item, to: Placeholders): string[] {
  return [
    `attribute_exists(${to.name(TABLE_KEY.partition)})`,
    ...Object.entries(seen).map(([attribute, value]) => `${to.name(attribute)} = ${to.value(value)}`),
  ];
}

/** Adds missing attributes if the item is unchanged, so that no concurrent write is lost. */
async function addAttributes({ client, name }: Table, item: Item, upgraded: Item): Promise<void> {
  const to = new Placeholders();
  const { pk, sk } = item;
  const added = Object.keys(upgraded).filter((attribute) => !(attribute in item));
  const conditions = [...sameAs(item, to), ...added.map((attribute) => `attribute_not_exists(${to.name(attribute)})`)];
  const changes = added.map((attribute) => `${to.name(attribute)} = ${to.value(upgraded[attribute] ?? null)}`);
  changes.push(`${to.name(FORMAT_MARK)} = ${to.value(itemVersion())}`);
  await client.send(
    new UpdateCommand({
      TableName: name,
      Key: { pk, sk },
      UpdateExpression: `SET ${changes.join(", ")}`,
      ConditionExpression: conditions.join(" AND "),
      ...to.members(),
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
