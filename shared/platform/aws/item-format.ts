import { FIRST_VERSION, itemVersion, replaceItem, upgradeItem } from "../item-upgrade.ts";
import type { StoredRecord } from "../ports.ts";
import { identityOf } from "../preconditions.ts";
import { escapeNames, FORMAT_MARK, fromTable } from "./attribute-names.ts";

/**
 * An item of the table as the record that it is today, in whatever version it was stored. One that several records or one
 * elsewhere take the place of is read as it is: who knows its kind replaces it.
 */
export function toRecord(item: Record<string, unknown>): StoredRecord {
  const record = fromTable(item as StoredRecord);
  const today = upgradeItem(record, versionOf(item))?.record ?? record;
  const [only, ...more] = replaceItem(today) ?? [];
  return only !== undefined && more.length === 0 && identityOf(only) === identityOf(today) ? only : today;
}

/** The version of an item as it is stored. */
export function versionOf({ [FORMAT_MARK]: mark }: Record<string, unknown>): number {
  return typeof mark === "number" ? mark : FIRST_VERSION;
}

/** A record as the table holds it, with its version. */
export function toTableItem(record: StoredRecord): Record<string, unknown> {
  return { ...escapeNames(record), [FORMAT_MARK]: itemVersion() };
}
