import type { Json, StoredRecord } from "../ports.ts";

/** DynamoDB's limit of an item, in bytes. */
export const MOST_ITEM_BYTES = 400 * 1024;

const CONTAINER_BYTES = 3;
const MEMBER_BYTES = 1;

/**
 * Bytes of a record as DynamoDB counts them (Developer Guide, "DynamoDB item sizes and formats"): names and strings in
 * UTF-8, about a byte for two digits of a number and one more, 3 for a list or map and 1 for each member.
 * Throws TypeError on numbers that are not finite, as neither home can hold them.
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
