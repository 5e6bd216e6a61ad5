import type { SQLInputValue } from "node:sqlite";
import type { StoredRecord } from "../../ports/record-store.ts";
import { fromColumn, toColumn } from "./attribute-tests.ts";

/** Attributes that a row has in their columns alone, because each would take half a row if the item had them, too. */
const APART = ["gsi1pk", "gsi1sk", "gsi2pk", "gsi2sk", "gsi3pk", "gsi3sk", "pk", "sk", "kind"] as const;

/** The columns from which `recordOf` and `textOf` make a record. */
export const STORED_COLUMNS: readonly string[] = ["item", ...APART];

type StoredRow = Record<string, unknown>;

/** The item of a record's row: its JSON without what the columns have. */
export function itemOf(record: StoredRecord): string {
  const { gsi1pk, gsi1sk, gsi2pk, gsi2sk, gsi3pk, gsi3sk, pk, sk, kind, ...item } = record;
  return JSON.stringify(item);
}

/** The values of the columns of a record's row, and its item. */
export function rowOf(record: StoredRecord, columns: readonly string[]): SQLInputValue[] {
  return [...columns.map((column) => toColumn(record[column])), itemOf(record)];
}

/** The record of a row. */
export function recordOf(row: StoredRow): StoredRecord {
  return Object.assign(JSON.parse(String(row.item)), apart(row));
}

/** The JSON of a row's record. */
export function textOf(row: StoredRow): string {
  const item = String(row.item);
  const keys = JSON.stringify(apart(row));
  return item === "{}" ? keys : `${item.slice(0, -1)},${keys.slice(1)}`;
}

function apart(row: StoredRow): Record<string, unknown> {
  const attributes: Record<string, unknown> = {};
  for (const name of APART) if (row[name] != null) attributes[name] = fromColumn(row[name]);
  return attributes;
}
