import { ARCHIVE_PREFIX, isOfBackup } from "../backups/archives.ts";
import { isRequested } from "../compat/requests.ts";
import { inParallel } from "../kernel/parallel.ts";
import { memoryKey } from "../memory/records.ts";
import type { Home } from "../platform/context.ts";
import type { BlobEntry, RecordStore } from "../platform/ports.ts";
import { readArchived } from "../sessions/archived-messages.ts";
import { listDue } from "../sessions/chores.ts";
import { sessionKey } from "../sessions/records.ts";
import { ingestionOf } from "../sources/beginning.ts";
import { readSource } from "../sources/records.ts";
import { blobsInView, blobsOf } from "../sources/removal.ts";
import { blobsNamedBy } from "./lost-content.ts";
import type { CleanupOperation } from "./operations.ts";
import { type CleanupPass, Tally } from "./pass.ts";

const PAGE = 500;
const WIDTH = 8;
/** Sorts after every moment. */
const END_OF_TIME = "9999";
/** Whose contents are blobs. Messages of earlier releases have theirs under their own ids, from which no session follows. */
const OF_MEMORIES = ["mem_", "src_"];
const OF_SESSIONS = "sess_";

/** A blob that nothing may name any more. */
interface Suspect {
  blob: BlobEntry;
  operation: CleanupOperation;
  /** Whether any record names it, as of now. */
  isNamed(): Promise<boolean>;
  /** What goes with it. */
  contents?(): Promise<BlobEntry[]>;
}

/** One page of the blobs: removes those that no record names. */
export const cleanBlobs: CleanupPass = async (home, { options }, after) => {
  const before = Date.parse(options.before);
  const { orphans, cursor } = await findOrphanBlobs(home, { before, operations: options.operations }, after);
  const tally = new Tally();
  await inParallel(orphans, WIDTH, async ({ operation, blobs }) => {
    for (const orphan of blobs) {
      if (!options.dry_run && !(await removeIfOld(home, orphan, before))) continue;
      tally.add(operation, "items");
      tally.add(operation, "bytes", orphan.size);
    }
  });
  return { tallies: tally.tallies, ...(cursor !== undefined && { cursor }) };
};

/** A blob that no record names, behind those that only it leads to. */
export interface OrphanBlobs {
  operation: CleanupOperation;
  blobs: BlobEntry[];
}

/** One page of the blobs: those that no record names, put before a moment in epoch milliseconds. */
export async function findOrphanBlobs(
  home: Home,
  { before, operations }: { before: number; operations: readonly CleanupOperation[] },
  after: string | undefined,
): Promise<{ orphans: OrphanBlobs[]; cursor?: string }> {
  const { blobs, cursor } = await home.ports.blobs.list({ limit: PAGE, ...(after !== undefined && { after }) });
  const old = blobs.filter(({ modifiedAt }) => modifiedAt < before);
  const suspects = suspectsAmong(home, old).filter(({ operation }) => operations.includes(operation));
  const orphans = await inParallel(suspects, WIDTH, async ({ blob, operation, isNamed, contents }) => {
    if (await isNamed()) return [];
    return [{ operation, blobs: [...((await contents?.()) ?? []), blob] }];
  });
  return { orphans: orphans.flat(), ...(cursor !== undefined && { cursor }) };
}

/** A content that is stored again gets the key it had: whatever came since it was listed stays. */
async function removeIfOld(home: Home, { key }: BlobEntry, before: number): Promise<boolean> {
  const now = await find(home, key);
  if (!now || now.modifiedAt >= before) return false;
  await home.ports.blobs.delete(key);
  return true;
}

/** Blobs of which can be told what names them; others are nobody's business. */
function suspectsAmong(home: Home, blobs: BlobEntry[]): Suspect[] {
  const { records } = home.ports;
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
        const named = archived.get(id) ?? blobsOfArchive(home, { org, id });
        archived.set(id, named);
        return (await named).has(key);
      };
      return [{ blob, operation: "expired_sessions", isNamed }];
    }
    if (area === "sessions") {
      const isNamed = async () => (await records.get(sessionKey(org, id))) !== undefined;
      return [{ blob, operation: "expired_sessions", isNamed, contents: () => contentsOf(home, { org, id }, key) }];
    }
    if (area === "sources") {
      return [{ blob, operation: "temp_files", isNamed: () => isOfSource(records, org, id, key) }];
    }
    if (area === "requests") {
      return [{ blob, operation: "temp_files", isNamed: () => isRequested(records, org, id) }];
    }
    if (key.startsWith(ARCHIVE_PREFIX)) {
      return [{ blob, operation: "temp_files", isNamed: () => isOfBackup(records, key) }];
    }
    if (area !== "exports" && area !== "imports") return [];
    files ??= filesInUse(records);
    const inUse = files;
    return [{ blob, operation: "temp_files", isNamed: async () => (await inUse).has(key) }];
  });
}

async function isOfMemory(records: RecordStore, org: string, id: string, content_blob: string): Promise<boolean> {
  const memory = await records.get(memoryKey(org, id));
  if (!memory) return false;
  return memory.content_blob === content_blob || isNamedIn(records, memory.pk, content_blob);
}

/** Blobs of the long messages of an archive, which nothing else tells of once it is gone. */
async function contentsOf(home: Home, session: { org: string; id: string }, archive: string): Promise<BlobEntry[]> {
  const found = await Promise.all((await namedByArchive(home, session, archive)).map((key) => find(home, key)));
  return found.flatMap((blob) => blob ?? []);
}

async function namedByArchive(home: Home, session: { org: string; id: string }, archive: string): Promise<string[]> {
  const messages = await readArchived(home, session, Number(archive.slice(archive.lastIndexOf("/") + 1)));
  return messages.flatMap(blobsNamedBy);
}

/** Keys of the long messages of a session, as far as they are archived. */
async function blobsOfArchive(home: Home, session: { org: string; id: string }): Promise<Set<string>> {
  const named = new Set<string>();
  let after: string | undefined;
  do {
    const prefix = `sessions/${session.org}/${session.id}/`;
    const page = await home.ports.blobs.list({ prefix, limit: PAGE, ...(after !== undefined && { after }) });
    for (const { key } of page.blobs) for (const blob of await namedByArchive(home, session, key)) named.add(blob);
    after = page.cursor;
  } while (after !== undefined);
  return named;
}

async function find({ ports }: Home, key: string): Promise<BlobEntry | undefined> {
  const { blobs } = await ports.blobs.list({ prefix: key, limit: 1 });
  return blobs[0]?.key === key ? blobs[0] : undefined;
}

async function isNamedIn(records: RecordStore, pk: string, content_blob: string): Promise<boolean> {
  return (await records.count({ pk, where: { content_blob } }, 1)) > 0;
}

/** By the content in view, or one that is read or uploaded. */
async function isOfSource(records: RecordStore, org: string, id: string, key: string): Promise<boolean> {
  const { source, ingestion, upload } = await readSource(records, org, id);
  return [
    ...(source ? blobsInView(source) : []),
    ...(ingestion ? blobsOf(ingestionOf(ingestion)) : []),
    ...(upload ? [upload.input.blob] : []),
  ].includes(key);
}

/** Files that are fetched by a link, or read by a worker: it is noted before each is put when it is to go. */
async function filesInUse(records: RecordStore): Promise<Set<string>> {
  const files = new Set<string>();
  for await (const chore of listDue(records, END_OF_TIME)) if (chore.what === "drop") files.add(chore.blob);
  return files;
}
