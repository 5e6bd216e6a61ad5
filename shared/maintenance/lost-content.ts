import { inParallel } from "../kernel/parallel.ts";
import { archiveContent, contentKey } from "../memory/content.ts";
import { identifyMemory } from "../memory/records.ts";
import type { Home } from "../platform/context.ts";
import type { StoredRecord } from "../platform/ports.ts";

const WIDTH = 8;

/** Keys of the blobs that a record of a memory, a version, a message or a source names. */
export function blobsNamedBy({ content_blob, text_blob, file }: StoredRecord): string[] {
  const ofFile = typeof file === "object" && file !== null && !Array.isArray(file) ? file.blob : undefined;
  return [content_blob, text_blob, ofFile].filter((key) => typeof key === "string");
}

/** Records that name a blob which is not there. */
export async function findUnreadable(home: Home, records: StoredRecord[]): Promise<StoredRecord[]> {
  const naming = records.filter((record) => blobsNamedBy(record).length > 0);
  const unreadable = await inParallel(naming, WIDTH, async (record) => {
    const blobs = await Promise.all(blobsNamedBy(record).map((key) => home.ports.blobs.open(key)));
    return blobs.every((blob) => blob !== undefined) ? [] : [record];
  });
  return unreadable.flat();
}

/**
 * The content of a memory whose blob is lost, from its search document: the blob's key is made of the content's hash, so
 * what is found is that content or nothing.
 */
export async function findLostContent(home: Home, memory: StoredRecord): Promise<string | undefined> {
  const { org, id } = identifyMemory(memory);
  const request = { org, filters: { ids: [id] }, now: home.clock(), descending: false, offset: 0, limit: 1 };
  const { documents } = await home.ports.search.browse(request);
  const content = documents[0]?.content;
  return content !== undefined && contentKey({ org, id }, content) === memory.content_blob ? content : undefined;
}

export async function restoreContent(home: Home, memory: StoredRecord, content: string): Promise<void> {
  await archiveContent(home, String(memory.content_blob), content, false);
}
