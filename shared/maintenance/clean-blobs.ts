import { inParallel } from "../kernel/parallel.ts";
import { memoryKey } from "../memory/records.ts";
import type { Home } from "../platform/context.ts";
import type { BlobEntry, RecordKey, RecordStore } from "../platform/ports.ts";
import { listDue } from "../sessions/chores.ts";
import { sessionKey } from "../sessions/records.ts";
import { readSource } from "../sources/records.ts";
import { blobsInView, blobsOf } from "../sources/removal.ts";
import type { CleanupOperation } from "./operations.ts";
import { type JobOf, type Pass, Tally } from "./pass.ts";

const PAGE = 500;
const WIDTH = 8;
/** Sorts after every moment. */
const END_OF_TIME = "9999";
const OF_SESSION = "sess_";

/** A blob that nothing may name any more. */
interface Suspect {
  blob: BlobEntry;
  operation: CleanupOperation;
  /** Whether any record names it, as of now. */
  isNamed(): Promise<boolean>;
}

/** One page of the blobs: removes those that no record names. */
export const cleanBlobs: Pass<JobOf<"cleanup">> = async (home, { options }, after) => {
  const { blobs, cursor } = await home.ports.blobs.list({ limit: PAGE, ...(after !== undefined && { after }) });
  const before = Date.parse(options.before);
  const old = blobs.filter(({ modifiedAt }) => modifiedAt < before);
  const suspects = suspectsAmong(home, old).filter(({ operation }) => options.operations.includes(operation));
  const tally = new Tally();
  await inParallel(suspects, WIDTH, async ({ blob, operation, isNamed }) => {
    if (await isNamed()) return;
    if (!options.dry_run && !(await removeIfOld(home, blob, before))) return;
    tally.add(operation, "items");
    tally.add(operation, "bytes", blob.size);
  });
  return { tallies: tally.tallies, ...(cursor !== undefined && { cursor }) };
};

/** A content that is stored again gets the key it had: whatever came since it was listed stays. */
async function removeIfOld({ ports }: Home, { key }: BlobEntry, before: number): Promise<boolean> {
  const { blobs } = await ports.blobs.list({ prefix: key, limit: 1 });
  const [now] = blobs;
  if (now?.key !== key || now.modifiedAt >= before) return false;
  await ports.blobs.delete(key);
  return true;
}

/** Blobs of which can be told what names them; others are nobody's business. */
function suspectsAmong(home: Home, blobs: BlobEntry[]): Suspect[] {
  const { records } = home.ports;
  let files: Promise<Set<string>> | undefined;
  return blobs.flatMap((blob): Suspect[] => {
    const { key } = blob;
    const [area, org = "", id = ""] = key.split("/");
    if (area === "content" && id.startsWith(OF_SESSION)) {
      return [{ blob, operation: "expired_sessions", isNamed: () => isOfMessage(records, org, id, key) }];
    }
    if (area === "content") {
      return [{ blob, operation: "orphaned_memories", isNamed: () => isOfMemory(records, org, id, key) }];
    }
    if (area === "sessions") {
      return [{ blob, operation: "expired_sessions", isNamed: () => isThere(records, sessionKey(org, id)) }];
    }
    if (area === "sources") {
      return [{ blob, operation: "temp_files", isNamed: () => isOfSource(records, org, id, key) }];
    }
    if (area !== "exports" && area !== "imports") return [];
    files ??= filesInUse(records);
    const inUse = files;
    return [{ blob, operation: "temp_files", isNamed: async () => (await inUse).has(key) }];
  });
}

async function isThere(records: RecordStore, key: RecordKey): Promise<boolean> {
  return (await records.get(key)) !== undefined;
}

async function isOfMemory(records: RecordStore, org: string, id: string, content_blob: string): Promise<boolean> {
  const memory = await records.get(memoryKey(org, id));
  if (!memory) return false;
  return memory.content_blob === content_blob || isNamedIn(records, memory.pk, content_blob);
}

/** Once messages are archived, it is the archive that names their blobs. */
async function isOfMessage(records: RecordStore, org: string, id: string, content_blob: string): Promise<boolean> {
  const session = await records.get(sessionKey(org, id));
  if (!session) return false;
  return session.status === "archived" || isNamedIn(records, session.pk, content_blob);
}

async function isNamedIn(records: RecordStore, pk: string, content_blob: string): Promise<boolean> {
  return (await records.count({ pk, where: { content_blob } }, 1)) > 0;
}

/** By the content in view, one that is read or uploaded, or one that is being removed. */
async function isOfSource(records: RecordStore, org: string, id: string, key: string): Promise<boolean> {
  const { source, ingestion, upload, removals } = await readSource(records, org, id);
  return [
    ...(source ? blobsInView(source) : []),
    ...(ingestion ? blobsOf(ingestion) : []),
    ...(upload ? [upload.blob] : []),
    ...removals.flatMap(({ blobs }) => blobs),
  ].includes(key);
}

/** Files that are fetched by a link, or read by a worker: it is noted before each is put when it is to go. */
async function filesInUse(records: RecordStore): Promise<Set<string>> {
  const files = new Set<string>();
  for await (const chore of listDue(records, END_OF_TIME)) if (chore.what === "drop") files.add(chore.blob);
  return files;
}
