import { isObject } from "../../../kernel/objects.ts";
import { inParallel } from "../../../kernel/parallel.ts";
import { pagesOf } from "../../../ports/pages.ts";
import type { StoredRecord } from "../../../ports/record-store.ts";
import type { Runtime } from "../../../runtime/context.ts";
import { archiveContent, ContentMissingError, contentKey, isContentKey, loadContent } from "../../memory/content.ts";
import { MEMORY_KIND } from "../../memory/memory-keys.ts";

const CONCURRENCY = 8;
const PAGE = 100;
const RECOVERABLE_KINDS = [MEMORY_KIND, "version"];

/** Returns the keys of the blobs that a memory, a version, a message or a source names. */
export function blobsNamedBy({ content_blob, text_blob, file }: StoredRecord): string[] {
  const fileBlob = isObject(file) ? file.blob : undefined;
  return [content_blob, text_blob, fileBlob].filter((key) => typeof key === "string");
}

/** Returns the records that name a missing blob, or a damaged one if its key contains a hash. */
export async function findUnreadable(runtime: Runtime, records: StoredRecord[]): Promise<StoredRecord[]> {
  const naming = records.filter((record) => blobsNamedBy(record).length > 0);
  const unreadable = await inParallel(naming, CONCURRENCY, async (record) => {
    const readable = await Promise.all(blobsNamedBy(record).map((key) => isReadable(runtime, key)));
    return readable.every(Boolean) ? [] : [record];
  });
  return unreadable.flat();
}

async function isReadable(runtime: Runtime, key: string): Promise<boolean> {
  if (!isContentKey(key)) return (await runtime.ports.blobs.open(key)) !== undefined;
  try {
    await loadContent(runtime, { content_blob: key });
    return true;
  } catch (error) {
    if (error instanceof ContentMissingError) return false;
    throw error;
  }
}

/**
 * Returns the content of a memory's or version's blob from the search document, the memory's record or a version.
 * The blob's key contains the content's hash, so a match is certain.
 */
export async function findLostContent(runtime: Runtime, record: StoredRecord): Promise<string | undefined> {
  if (!RECOVERABLE_KINDS.includes(record.kind)) return undefined;
  const { pk } = record;
  const key = String(record.content_blob);
  const [, org = "", id = ""] = key.split("/");
  const isLostContent = (content: unknown): content is string =>
    typeof content === "string" && contentKey({ org, id }, content) === key;
  const request = { org, filters: { ids: [id] }, now: runtime.clock(), descending: false, offset: 0, limit: 1 };
  const { documents } = await runtime.ports.search.browse(request);
  if (isLostContent(documents[0]?.content)) return documents[0].content;
  for await (const { items } of pagesOf((after) => runtime.ports.records.query({ pk, limit: PAGE, after }))) {
    const content = items.map((item) => item.content).find(isLostContent);
    if (content !== undefined) return content;
  }
  return undefined;
}

export async function restoreContent(runtime: Runtime, { content_blob }: StoredRecord, content: string): Promise<void> {
  await archiveContent(runtime, String(content_blob), content, false);
}
