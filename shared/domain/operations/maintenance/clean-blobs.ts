import { inParallel } from "../../../kernel/parallel.ts";
import type { BlobEntry } from "../../../ports/blob-store.ts";
import { pagesOf } from "../../../ports/pages.ts";
import type { RecordStore } from "../../../ports/record-store.ts";
import type { Runtime } from "../../../runtime/context.ts";
import { isRequested } from "../../integration/compat/requests.ts";
import { ingestionOf } from "../../knowledge/sources/new-source.ts";
import { readSource } from "../../knowledge/sources/records.ts";
import { blobsInView, blobsOf } from "../../knowledge/sources/removal.ts";
import { memoryKey } from "../../memory/memory-keys.ts";
import { archivePrefix, readArchive } from "../../sessions/archived-messages.ts";
import { listDue } from "../../sessions/chores.ts";
import { sessionKey } from "../../sessions/records.ts";
import { ARCHIVE_PREFIX, isOfBackup } from "../backups/archives.ts";
import { blobsNamedBy } from "./lost-content.ts";
import type { CleanupPass } from "./pass.ts";
import type { CleanupOperation } from "./plan.ts";

const PAGE = 500;
const CONCURRENCY = 8;
/** Sorts after every moment. */
const END_OF_TIME = "9999";
/** Prefixes of the owners of content blobs. Messages of earlier releases own blobs; their ids name no session. */
const OF_MEMORIES = ["mem_", "src_"];
const OF_SESSIONS = "sess_";

/** A blob that may be orphaned. */
interface Suspect {
  blob: BlobEntry;
  operation: CleanupOperation;
  /** Whether any record currently names it. */
  isNamed(): Promise<boolean>;
  /** Blobs to delete with it. */
  contents?(): Promise<BlobEntry[]>;
}

/** Processes one page of blobs: deletes those that no record names. */
export const cleanBlobs: CleanupPass = async (runtime, { options }, tally, after) => {
  const before = Date.parse(options.before);
  const { orphans, cursor } = await findOrphanBlobs(runtime, { before, operations: options.operations }, after);
  await inParallel(orphans, CONCURRENCY, async ({ operation, blobs }) => {
    for (const orphan of blobs) {
      if (!options.dry_run && !(await removeIfOld(runtime, orphan, before))) continue;
      tally.add(operation, "items");
      tally.add(operation, "bytes", orphan.size);
    }
  });
  return cursor;
};

/** An orphaned blob, preceded by the blobs that only it references. */
export interface OrphanBlobs {
  operation: CleanupOperation;
  blobs: BlobEntry[];
}

/** Returns the blobs of one page that no record names, written before a time in epoch milliseconds. */
export async function findOrphanBlobs(
  runtime: Runtime,
  { before, operations }: { before: number; operations: readonly CleanupOperation[] },
  after: string | undefined,
): Promise<{ orphans: OrphanBlobs[]; cursor?: string }> {
  const { blobs, cursor } = await runtime.ports.blobs.list({ limit: PAGE, after });
  const old = blobs.filter(({ modifiedAt }) => modifiedAt < before);
  const suspects = suspectsIn(runtime, old).filter(({ operation }) => operations.includes(operation));
  const orphans = await inParallel(suspects, CONCURRENCY, async ({ blob, operation, isNamed, contents }) => {
    if (await isNamed()) return [];
    return [{ operation, blobs: [...((await contents?.()) ?? []), blob] }];
  });
  return { orphans: orphans.flat(), cursor };
}

/** Deletes a blob, unless it was written since the listing: content that is stored again gets its former key. */
async function removeIfOld(runtime: Runtime, { key }: BlobEntry, before: number): Promise<boolean> {
  const current = await findBlob(runtime, key);
  if (!current || current.modifiedAt >= before) return false;
  await runtime.ports.blobs.delete(key);
  return true;
}

/** Returns the blobs that may be orphaned: those for which it is known which records name them. */
function suspectsIn(runtime: Runtime, blobs: BlobEntry[]): Suspect[] {
  const { records } = runtime.ports;
  let files: Promise<Set<string>> | undefined;
  const archived = new Map<string, Promise<Set<string>>>();
  return blobs.flatMap((blob): Suspect[] => {
    const { key } = blob;
    const [area, org = "", id = ""] = key.split("/");
    if (area === "content" && OF_MEMORIES.some((prefix) => id.startsWith(prefix))) {
      return [{ blob, operation: "orphaned_memories", isNamed: () => isOfMemory(records, org, id, key) }];
    }
    if (area === "content" && id.startsWith(OF_SESSIONS)) {
      const isNamed = async () => {
        if (await isNamedIn(records, sessionKey(org, id).pk, key)) return true;
        const named = archived.get(id) ?? blobsOfArchive(runtime, { org, id });
        archived.set(id, named);
        return (await named).has(key);
      };
      return [{ blob, operation: "expired_sessions", isNamed }];
    }
    if (area === "sessions") {
      const isNamed = async () => (await records.get(sessionKey(org, id))) !== undefined;
      return [{ blob, operation: "expired_sessions", isNamed, contents: () => contentsOf(runtime, key) }];
    }
    const temporary = (isNamed: Suspect["isNamed"]): Suspect[] => [{ blob, operation: "temp_files", isNamed }];
    if (area === "sources") return temporary(() => isOfSource(records, org, id, key));
    if (area === "requests") return temporary(() => isRequested(records, org, id));
    if (key.startsWith(ARCHIVE_PREFIX)) return temporary(() => isOfBackup(records, key));
    if (area !== "exports" && area !== "imports") return [];
    files ??= filesInUse(records);
    const inUse = files;
    return temporary(async () => (await inUse).has(key));
  });
}

async function isOfMemory(records: RecordStore, org: string, id: string, content_blob: string): Promise<boolean> {
  const memory = await records.get(memoryKey(org, id));
  if (!memory) return false;
  return memory.content_blob === content_blob || isNamedIn(records, memory.pk, content_blob);
}

/** Returns the blobs of the long messages of an archive, which only the archive names. */
async function contentsOf(runtime: Runtime, archive: string): Promise<BlobEntry[]> {
  const found = await Promise.all((await namedByArchive(runtime, archive)).map((key) => findBlob(runtime, key)));
  return found.flatMap((blob) => blob ?? []);
}

async function namedByArchive(runtime: Runtime, archive: string): Promise<string[]> {
  const messages = await readArchive(runtime, archive);
  return messages.flatMap(blobsNamedBy);
}

/** Returns the keys of the archived long messages of a session. */
async function blobsOfArchive(runtime: Runtime, session: { org: string; id: string }): Promise<Set<string>> {
  const named = new Set<string>();
  const prefix = archivePrefix(session);
  for await (const { blobs } of pagesOf((after) => runtime.ports.blobs.list({ prefix, limit: PAGE, after }))) {
    for (const { key } of blobs) for (const blob of await namedByArchive(runtime, key)) named.add(blob);
  }
  return named;
}

async function findBlob({ ports }: Runtime, key: string): Promise<BlobEntry | undefined> {
  const { blobs } = await ports.blobs.list({ prefix: key, limit: 1 });
  return blobs[0]?.key === key ? blobs[0] : undefined;
}

async function isNamedIn(records: RecordStore, pk: string, content_blob: string): Promise<boolean> {
  return (await records.count({ pk, where: { content_blob } }, 1)) > 0;
}

/** Whether a source names the blob: for its visible content, or for content that is being read or uploaded. */
async function isOfSource(records: RecordStore, org: string, id: string, key: string): Promise<boolean> {
  const { source, ingestion, upload } = await readSource(records, org, id);
  return [
    ...(source ? blobsInView(source) : []),
    ...(ingestion ? blobsOf(ingestionOf(ingestion)) : []),
    ...(upload ? [upload.input.blob] : []),
  ].includes(key);
}

/** Returns the files that a link or a worker reads. Their expiry is recorded before they are written. */
async function filesInUse(records: RecordStore): Promise<Set<string>> {
  const files = new Set<string>();
  for await (const due of listDue(records, END_OF_TIME)) if (due.what === "drop") files.add(due.blob);
  return files;
}
