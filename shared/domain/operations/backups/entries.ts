import { createHash } from "node:crypto";
import type { BlobEntry as ListedBlob } from "../../../ports/blob-store.ts";
import { pagesOf } from "../../../ports/pages.ts";
import type { StoredRecord } from "../../../ports/record-store.ts";
import type { Runtime } from "../../../runtime/context.ts";
import { ARCHIVE_PREFIX } from "./archives.ts";
import { componentOf, separateSecrets } from "./components.ts";
import type { ArchiveEntry, BlobEntry } from "./format.ts";
import type { ArchiveKeys } from "./keys.ts";
import type { Backup } from "./records.ts";
import { readKeptSecrets } from "./secrets.ts";
import type { ArchiveCounts } from "./write-archive.ts";

const LIST_PAGE = 1000;
/** Greater than the difference between the clocks of the service and the blob store. */
const CLOCK_LEEWAY_MS = 60_000;

/** The data to archive, with counts that are updated during the iteration. */
export interface Collection {
  runtime: Runtime;
  backup: Pick<Backup, "components" | "include_logs">;
  pages: AsyncIterable<StoredRecord[]>;
  keys: ArchiveKeys | undefined;
  counts: ArchiveCounts;
  /** Called at least once per page and chunk, even if nothing of it is archived. */
  onStep(): Promise<void>;
}

/**
 * Returns all entries of an archive. A blob is written before the record that names it and deleted after it. Therefore
 * the blobs come first, and those written meanwhile follow right after the first page of records, which fixes the
 * archive's moment.
 */
export async function* collectEntries(collection: Collection): AsyncGenerator<ArchiveEntry> {
  const { runtime, backup, keys } = collection;
  if (keys) yield* secretEntries(runtime, keys);
  const recent = new Map<string, number>();
  const since = runtime.clock() - CLOCK_LEEWAY_MS;
  const hasBlobs = backup.components.includes("blobs");
  if (hasBlobs) yield* blobEntries(collection, since, recent);
  let isFirst = true;
  for await (const page of collection.pages) {
    if (isFirst && hasBlobs) yield* newBlobEntries(collection, since, recent);
    isFirst = false;
    await collection.onStep();
    for (const record of page) yield* recordEntries(collection, record);
  }
  if (backup.components.includes("search_index")) yield* documentEntries(collection);
}

async function* secretEntries({ ports }: Runtime, keys: ArchiveKeys): AsyncGenerator<ArchiveEntry> {
  for (const secret of await readKeptSecrets(ports.secrets)) {
    yield { component: "secrets", sealed: keys.seal("secrets", JSON.stringify(secret)) };
  }
}

function* recordEntries({ backup, keys, counts }: Collection, record: StoredRecord): Generator<ArchiveEntry> {
  const component = componentOf(record);
  const isIncluded =
    component === "logs" ? backup.include_logs : component !== undefined && backup.components.includes(component);
  if (component === undefined || !isIncluded) return;
  const { open, secret } = separateSecrets(record);
  const sealed = secret && keys?.seal(component, JSON.stringify(secret));
  if (secret && sealed === undefined) counts.left_out += 1;
  if (open === undefined && sealed === undefined) return;
  counts.records += 1;
  if (open === undefined) yield { component, sealed: sealed ?? "" };
  else yield sealed === undefined ? { component, record: open } : { component, record: open, sealed };
}

/** Yields every blob except archives; `recent` collects those that may be rewritten meanwhile. */
async function* blobEntries(
  collection: Collection,
  since: number,
  recent: Map<string, number>,
): AsyncGenerator<BlobEntry> {
  for await (const { key, modifiedAt } of listBlobs(collection)) {
    if (modifiedAt >= since) recent.set(key, modifiedAt);
    yield* blobEntry(collection, key);
  }
}

/** Yields the blobs written at or after `since`, except those that are already included unchanged. */
async function* newBlobEntries(
  collection: Collection,
  since: number,
  recent: Map<string, number>,
): AsyncGenerator<BlobEntry> {
  for await (const { key, modifiedAt } of listBlobs(collection)) {
    if (modifiedAt >= since && recent.get(key) !== modifiedAt) yield* blobEntry(collection, key);
  }
}

async function* listBlobs({ runtime, onStep }: Collection): AsyncGenerator<ListedBlob> {
  for await (const page of pagesOf((after) => runtime.ports.blobs.list({ limit: LIST_PAGE, after }))) {
    await onStep();
    yield* page.blobs.filter(({ key }) => !key.startsWith(ARCHIVE_PREFIX));
  }
}

async function* blobEntry({ runtime, counts, onStep }: Collection, key: string): AsyncGenerator<BlobEntry> {
  const { blobs } = runtime.ports;
  const opened = await blobs.open(key);
  if (!opened) return;
  yield { component: "blobs", key, content_type: opened.contentType };
  const read = { size: 0, hash: createHash("sha256") };
  try {
    for await (const part of opened.parts) {
      read.size += part.byteLength;
      read.hash.update(part);
      await onStep();
      yield { component: "blobs", key, piece: Buffer.from(part).toString("base64") };
    }
  } catch (error) {
    if ((await blobs.open(key)) !== undefined) throw error;
    yield { component: "blobs", key, gone: true };
    return;
  }
  counts.blobs += 1;
  yield { component: "blobs", key, size: read.size, sha256: read.hash.digest("hex") };
}

async function* documentEntries({ runtime, onStep }: Collection): AsyncGenerator<ArchiveEntry> {
  for await (const { documents } of pagesOf((after) => runtime.ports.search.list({ limit: LIST_PAGE, after }))) {
    await onStep();
    for (const { org, id, version } of documents) yield { component: "search_index", document: { org, id, version } };
  }
}
