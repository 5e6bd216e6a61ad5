import { inParallel } from "../kernel/parallel.ts";
import { archiveContent, ContentMissing, contentKey, isContentKey, loadContent } from "../memory/content.ts";
import { MEMORY_KIND } from "../memory/records.ts";
import type { Home } from "../platform/context.ts";
import { pagesOf } from "../platform/pages.ts";
import type { StoredRecord } from "../platform/ports.ts";

const WIDTH = 8;
const PAGE = 100;
const OF_MEMORIES = [MEMORY_KIND, "version"];

/** Keys of the blobs that a record of a memory, a version, a message or a source names. */
export function blobsNamedBy({ content_blob, text_blob, file }: StoredRecord): string[] {
  const ofFile = typeof file === "object" && file !== null && !Array.isArray(file) ? file.blob : undefined;
  return [content_blob, text_blob, ofFile].filter((key) => typeof key === "string");
}

/** Records that name a blob which is missing, or damaged as far as its key tells. */
export async function findUnreadable(home: Home, records: StoredRecord[]): Promise<StoredRecord[]> {
  const naming = records.filter((record) => blobsNamedBy(record).length > 0);
  const unreadable = await inParallel(naming, WIDTH, async (record) => {
    const readable = await Promise.all(blobsNamedBy(record).map((key) => isReadable(home, key)));
    return readable.every(Boolean) ? [] : [record];
  });
  return unreadable.flat();
}

async function isReadable(home: Home, key: string): Promise<boolean> {
  if (!isContentKey(key)) return (await home.ports.blobs.open(key)) !== undefined;
  try {
    await loadContent(home, { content_blob: key });
    return true;
  } catch (error) {
    if (error instanceof ContentMissing) return false;
    throw error;
  }
}

/**
 * The content that a blob of a memory or a version held, from wherever else it is: the search document, the memory's
 * record, a version. The blob's key is made of the content's hash, so what is found is that content or nothing.
 */
export async function findLostContent(home: Home, record: StoredRecord): Promise<string | undefined> {
  if (!OF_MEMORIES.includes(record.kind)) return undefined;
  const { pk } = record;
  const key = String(record.content_blob);
  const [, org = "", id = ""] = key.split("/");
  const isLost = (content: unknown): content is string =>
    typeof content === "string" && contentKey({ org, id }, content) === key;
  const request = { org, filters: { ids: [id] }, now: home.clock(), descending: false, offset: 0, limit: 1 };
  const { documents } = await home.ports.search.browse(request);
  if (isLost(documents[0]?.content)) return documents[0].content;
  for await (const { items } of pagesOf((after) => home.ports.records.query({ pk, limit: PAGE, after }))) {
    const content = items.map((item) => item.content).find(isLost);
    if (content !== undefined) return content;
  }
  return undefined;
}

export async function restoreContent(home: Home, { content_blob }: StoredRecord, content: string): Promise<void> {
  await archiveContent(home, String(content_blob), content, false);
}
