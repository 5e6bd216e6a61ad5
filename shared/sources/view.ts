import type { RecordKey, RecordStore, StoredRecord } from "../platform/ports.ts";
import { chunkPlaceOf } from "./chunk-ids.ts";

const SOURCE_SORT_KEY = "source";

/** Its own collection: what belongs to the memory of the same id goes when that memory does. */
export const sourceCollection = (org: string, id: string): string => `${org}#source#${id}`;

export const sourceKey = (org: string, id: string): RecordKey => ({
  pk: sourceCollection(org, id),
  sk: SOURCE_SORT_KEY,
});

/** Keys of the sources that these memories are chunks of; none for other memories. */
export function sourcesOf(org: string, memory_ids: Iterable<string>): RecordKey[] {
  const sources = new Set<string>();
  for (const id of memory_ids) {
    const place = chunkPlaceOf(id);
    if (place) sources.add(place.source_id);
  }
  return [...sources].map((id) => sourceKey(org, id));
}

/**
 * Tells which memories are in view: all but chunks of a content that its source does not hold (any more, or yet). One
 * write to the source's record so shows or hides all of its chunks at once, however long storing or removing them takes.
 */
export function viewBy(sources: StoredRecord[]): (memory_id: string) => boolean {
  const current = new Map(sources.map(({ id, generation }) => [id, generation]));
  return (memory_id) => {
    const place = chunkPlaceOf(memory_id);
    return place === undefined || current.get(place.source_id) === place.generation;
  };
}

/** The view of some memories, at the cost of one read where any of them is a chunk. */
export async function readView(
  records: RecordStore,
  org: string,
  memory_ids: Iterable<string>,
): Promise<(memory_id: string) => boolean> {
  const keys = sourcesOf(org, memory_ids);
  return viewBy(keys.length === 0 ? [] : await records.getMany(keys));
}
