import type { Json } from "../../ports/json.ts";
import type { StoredRecord } from "../../ports/record-store.ts";

/** DynamoDB's maximum item size in bytes. */
export const MAX_ITEM_BYTES = 400 * 1024;

const CONTAINER_BYTES = 3;
const MEMBER_BYTES = 1;

/**
 * The size of a record as DynamoDB counts it (Developer Guide, "DynamoDB item sizes and formats"): names and strings in
 * UTF-8, about one byte per two digits of a number plus one, 3 bytes per list or map and 1 per member. Throws TypeError
 * on infinite numbers and NaN, which neither platform can store.
 */
export function itemSize(record: StoredRecord): number {
  return membersSize(record, 0);
}

function valueSize(value: Json): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (typeof value === "number") return numberSize(value);
  if (value === null || typeof value === "boolean") return 1;
  if (!Array.isArray(value)) return CONTAINER_BYTES + membersSize(value, MEMBER_BYTES);
  return value.reduce<number>((total, member) => total + MEMBER_BYTES + valueSize(member), CONTAINER_BYTES);
}

function membersSize(members: { [name: string]: Json | undefined }, overhead: number): number {
  let total = 0;
  for (const [name, value] of Object.entries(members)) {
    if (value !== undefined) total += overhead + Buffer.byteLength(name) + valueSize(value);
  }
  return total;
}

function numberSize(value: number): number {
  if (!Number.isFinite(value)) throw new TypeError(`a record cannot hold the number ${value}`);
  const digits = String(value).replace(/[^\d]|e.*$/g, "").length;
  return Math.ceil(digits / 2) + 1;
}
