import { DAY_SECONDS } from "../../../kernel/durations.ts";
import { inPieces } from "../../../kernel/strings.ts";
import type { RecordKey, RecordStore, Write } from "../../../ports/record-store.ts";

/** A longer payload is stored in separate records, because lists and indexes would copy it. */
const MAX_INLINE_BYTES = 32 * 1024;
/** UTF-16 units per part, each of at most three bytes, within the 400 KB limit of a record. */
const PART_UNITS = 100_000;
const BYTES_PER_UNIT = 3;
/** Longer than everything that refers to the delivery: its log, and its dead letter after the longest retries. */
const KEPT_SECONDS = 150 * DAY_SECONDS;

/** The exact body that is signed and sent: in the record, or in a number of parts. */
export interface KeptPayload {
  payload?: string;
  payload_parts?: number;
}

const partKey = (org: string, delivery_id: string, part: number): RecordKey => ({
  pk: `${org}#${delivery_id}`,
  sk: `payload#${String(part).padStart(3, "0")}`,
});

/** The payload fields of a delivery's record, and the writes that store the rest. */
export function keepPayload(
  { org, id }: { org: string; id: string },
  payload: string,
  now: number,
): { kept: KeptPayload; writes: Write[] } {
  if (Buffer.byteLength(payload) <= MAX_INLINE_BYTES) return { kept: { payload }, writes: [] };
  const ttl = Math.ceil(now / 1000) + KEPT_SECONDS;
  const parts = [...inPieces(payload, PART_UNITS)];
  const writes = parts.map(
    (text, part): Write => ({ put: { ...partKey(org, id, part), kind: "delivery_payload", text, ttl } }),
  );
  return { kept: { payload_parts: parts.length }, writes };
}

/** An upper bound of a payload's size, without reading it. */
export function maxBytesOf({ payload, payload_parts = 0 }: KeptPayload): number {
  return payload === undefined ? payload_parts * PART_UNITS * BYTES_PER_UNIT : Buffer.byteLength(payload);
}

/** The stored payload of a delivery, a log entry or a dead letter; undefined if it was deleted. */
export async function readPayload(
  records: RecordStore,
  { org, delivery_id, payload, payload_parts = 0 }: KeptPayload & { org: string; delivery_id: string },
): Promise<string | undefined> {
  if (payload !== undefined || payload_parts === 0) return payload;
  const keys = Array.from({ length: payload_parts }, (_, part) => partKey(org, delivery_id, part));
  const found = await records.getMany(keys);
  const texts = new Map(found.map(({ sk, text }) => [sk, String(text)]));
  return texts.size === payload_parts ? keys.map(({ sk }) => texts.get(sk)).join("") : undefined;
}
