import type { Home } from "../platform/context.ts";
import { pagesOf } from "../platform/pages.ts";
import type { RecordStore } from "../platform/ports.ts";
import { type Backup, findBackup, isUnfinished } from "./records.ts";

/** Where archives are in the blob store; no backup has them. */
export const ARCHIVE_PREFIX = "backups/";
const ATTEMPT = /^(?<id>[^-]+)-\d+\.jsonl(\.gz)?$/;

const LIST_PAGE = 1000;

/** Key of an attempt's archive: each has its own, so that none replaces another's. */
export function archiveKey({ id, compression_enabled }: Backup, attempt: number): string {
  return `${ARCHIVE_PREFIX}${id}-${attempt}.jsonl${compression_enabled ? ".gz" : ""}`;
}

/** Whether an archive is a backup's, or may yet become one's. What no backup is on record of is not ours to judge. */
export async function isOfBackup(records: RecordStore, blob: string): Promise<boolean> {
  const id = ATTEMPT.exec(blob.slice(ARCHIVE_PREFIX.length))?.groups?.id;
  const backup = id === undefined ? undefined : await findBackup(records, id);
  return !backup || isUnfinished(backup) || backup.archive?.blob === blob;
}

/** Deletes what the attempts at a backup left, except the archive that is its. */
export async function dropArchives({ ports }: Pick<Home, "ports">, id: string, kept?: string): Promise<void> {
  const prefix = `${ARCHIVE_PREFIX}${id}-`;
  for await (const { blobs } of pagesOf((after) => ports.blobs.list({ prefix, limit: LIST_PAGE, after }))) {
    for (const { key } of blobs) if (key !== kept) await ports.blobs.delete(key);
  }
}
