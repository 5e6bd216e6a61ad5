import type { StoredRecord } from "../../ports/ports.ts";
import { identityOf } from "../../ports/preconditions.ts";
import { FIRST_VERSION, itemVersion, replaceItem, upgradeItem } from "../../runtime/upgrades/item-upgrade.ts";
import { escapeNames, FORMAT_MARK, fromTable } from "./attribute-names.ts";

/**
 * The current form of a table item of any version. An item that is replaced by several records, or under another key,
 * is returned unchanged; the code that knows its kind replaces it.
 */
export function toRecord(item: Record<string, unknown>): StoredRecord {
  const record = fromTable(item as StoredRecord);
  const today = upgradeItem(record, versionOf(item))?.record ?? record;
  const [only, ...more] = replaceItem(today) ?? [];
  return only !== undefined && more.length === 0 && identityOf(only) === identityOf(today) ? only : today;
}

/** The stored version of an item. */
export function versionOf({ [FORMAT_MARK]: mark }: Record<string, unknown>): number {
  return typeof mark === "number" ? mark : FIRST_VERSION;
}

/** The table item of a record with its version. */
export function toTableItem(record: StoredRecord): Record<string, unknown> {
  return { ...escapeNames(record), [FORMAT_MARK]: itemVersion() };
}
