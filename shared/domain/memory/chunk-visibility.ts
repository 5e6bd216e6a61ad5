import type { RecordKey, RecordStore, StoredRecord } from "../../ports/record-store.ts";
import { chunkLocationOf } from "./chunk-ids.ts";

/** A separate collection, because the collection of the memory with the same id is deleted with that memory. */
export const sourceCollection = (org: string, id: string): string => `${org}#source#${id}`;

export const sourceKey = (org: string, id: string): RecordKey => ({ pk: sourceCollection(org, id), sk: "source" });

/** Returns the keys of the sources that these memories are chunks of; other memories have no source. */
export function sourcesOf(org: string, memory_ids: Iterable<string>): RecordKey[] {
  const sources = new Set<string>();
  for (const id of memory_ids) {
    const chunk = chunkLocationOf(id);
    if (chunk) sources.add(chunk.source_id);
  }
  return [...sources].map((id) => sourceKey(org, id));
}

/**
 * Returns a test for visible memories: all except chunks of another content than the source's current one. One write to
 * the source's record shows or hides all of its chunks, even if storing or deleting them takes longer.
 */
export function visibleChunks(sources: StoredRecord[]): (memory_id: string) => boolean {
  const current = new Map(sources.map(({ id, generation }) => [id, generation]));
  return (memory_id) => {
    const chunk = chunkLocationOf(memory_id);
    return chunk === undefined || current.get(chunk.source_id) === chunk.generation;
  };
}

/** Returns the test of `visibleChunks` for these memories; costs one read if any of them is a chunk. */
export async function readView(records: RecordStore, org: string, memory_ids: Iterable<string>) {
  const keys = sourcesOf(org, memory_ids);
  return visibleChunks(keys.length === 0 ? [] : await records.getMany(keys));
}
