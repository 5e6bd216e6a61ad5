import { identityOf } from "../../ports/preconditions.ts";
import type { StoredRecord } from "../../ports/record-store.ts";
import { FIRST_VERSION, itemVersion, replaceItem, upgradeItem } from "../../runtime/upgrades/item-upgrade.ts";
import { escapeNames, FORMAT_MARK, fromTable } from "./attribute-names.ts";

/**
 * Converts a table item of any version to a record of the current version. An item that several records replace, or one
 * with another key, is upgraded but not replaced here; the code for its kind replaces it.
 */
export function toRecord(item: Record<string, unknown>): StoredRecord {
  const record = fromTable(item as StoredRecord);
  const upgraded = upgradeItem(record, versionOf(item))?.record ?? record;
  const [replacement, ...more] = replaceItem(upgraded) ?? [];
  if (replacement === undefined || more.length > 0) return upgraded;
  return identityOf(replacement) === identityOf(upgraded) ? replacement : upgraded;
}

/** Returns the version with which a table item was stored. */
export function versionOf({ [FORMAT_MARK]: mark }: Record<string, unknown>): number {
  return typeof mark === "number" ? mark : FIRST_VERSION;
}

/** Converts a record to a table item of the current version. */
export function toTableItem(record: StoredRecord): Record<string, unknown> {
  return { ...escapeNames(record), [FORMAT_MARK]: itemVersion() };
}
