import { listRemains } from "../../../shared/memory/records.ts";
import type { Home } from "../../../shared/platform/context.ts";
import type { RecordStore, Write } from "../../../shared/platform/ports.ts";

const MAX_WRITES = 100;

/** Removes all that belongs to a thing, a memory or a skill, whose own record is gone. */
export async function removeRemains({ ports }: Home, org: string, id: string): Promise<void> {
  const { keys, blobs } = await listRemains(ports.records, org, id);
  await Promise.all(blobs.map((key) => ports.blobs.delete(key)));
  await writeInParts(
    ports.records,
    keys.map((key): Write => ({ delete: key })),
  );
}

/** Any number of writes, which need not be done together. */
export async function writeInParts(records: RecordStore, writes: Write[]): Promise<void> {
  for (let start = 0; start < writes.length; start += MAX_WRITES) {
    await records.write(...writes.slice(start, start + MAX_WRITES));
  }
}
