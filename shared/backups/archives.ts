import type { Home } from "../platform/context.ts";
import type { RecordStore } from "../platform/ports.ts";
import { type Backup, findBackup, isUnfinished } from "./records.ts";

/** Where archives are in the blob store; no backup has them. */
export const ARCHIVE_PREFIX = "backups/";
const ATTEMPT = /^(?<id>[^-]+)-\d+\.jsonl(\.gz)?$/;

/** Key of an attempt's archive. */
export function archiveKey({ id, compression_enabled }: Backup, attempt: number): string {
  return `${ARCHIVE_PREFIX}${id}-${attempt}.jsonl${compression_enabled ? ".gz" : ""}`;
}

/** Whether an archive is a backup's, or may yet become one's. What no backup is on record of is not ours to judge. */
export async function isOfBackup(records: RecordStore, blob: string): Promise<boolean> {
  const id = ATTEMPT.exec(blob.slice(ARCHIVE_PREFIX.length))?.groups?.id;
  const backup = id === undefined ? undefined : await findBackup(records, id);
  return !backup || isUnfinished(backup) || backup.archive?.blob === blob;
}

/** What the attempts at a backup left, whether they told of it or stopped before. */
export async function dropArchives({ ports }: Pick<Home, "ports">, backup: Backup): Promise<void> {
  for (let attempt = 1; attempt <= backup.attempts; attempt++) await ports.blobs.delete(archiveKey(backup, attempt));
}
