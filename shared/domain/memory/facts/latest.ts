import type { RecordReader } from "../records.ts";
import { inSlot, type StoredFact, toStoredFact } from "./records.ts";

/** Maximum number of latest facts read per slot. */
export const MAX_LATEST = 100;

/** Returns the latest facts of some slots of a user, whatever their visibility. One round trip. */
export async function latestOfSlots(
  { ports, org }: Pick<RecordReader, "ports" | "org">,
  user: string,
  slots: string[],
  limit = MAX_LATEST,
): Promise<StoredFact[]> {
  const pages = await Promise.all(
    slots.map((slot) => ports.records.query({ ...inSlot(org, user, slot), limit, descending: true })),
  );
  return pages.flatMap(({ items }) => items.map(toStoredFact)).filter(({ user_id }) => user_id === user);
}
