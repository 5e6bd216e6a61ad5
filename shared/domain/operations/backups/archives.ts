import { timestamp } from "../../../kernel/clock.ts";
import { pagesOf } from "../../../ports/pages.ts";
import type { RecordStore } from "../../../ports/record-store.ts";
import type { HasPorts, Runtime } from "../../../runtime/context.ts";
import { type Backup, findBackup, isUnfinished, listExpired, removeBackup } from "./records.ts";

/** Prefix of archives in the blob store; backups do not include them. */
export const ARCHIVE_PREFIX = "backups/";
const ATTEMPT = /^(?<id>[^-]+)-\d+\.jsonl(\.gz)?$/;

const LIST_PAGE = 1000;

/** Returns the key of an attempt's archive. Each attempt has its own key, so that no attempt overwrites another. */
export function archiveKey({ id, compression_enabled }: Backup, attempt: number): string {
  return `${ARCHIVE_PREFIX}${id}-${attempt}.jsonl${compression_enabled ? ".gz" : ""}`;
}

/** Whether an archive belongs to a backup or to an attempt in progress. Archives without a backup record are kept. */
export async function isOfBackup(records: RecordStore, blob: string): Promise<boolean> {
  const id = ATTEMPT.exec(blob.slice(ARCHIVE_PREFIX.length))?.groups?.id;
  const backup = id === undefined ? undefined : await findBackup(records, id);
  return !backup || isUnfinished(backup) || backup.archive?.blob === blob;
}

/** Deletes the archives of a backup's attempts, except the one that the backup names. */
export async function dropArchives({ ports }: HasPorts, id: string, kept?: string): Promise<void> {
  const prefix = `${ARCHIVE_PREFIX}${id}-`;
  for await (const { blobs } of pagesOf((after) => ports.blobs.list({ prefix, limit: LIST_PAGE, after }))) {
    for (const { key } of blobs) if (key !== kept) await ports.blobs.delete(key);
  }
}

/** Deletes expired backups; returns their number. */
export async function expireBackups(runtime: Runtime): Promise<number> {
  const expired = await listExpired(runtime.ports.records, timestamp(runtime.clock()));
  for (const backup of expired) {
    // The archives first: after an interruption, the record still shows that something remains to be deleted.
    await dropArchives(runtime, backup.id);
    await runtime.ports.records.write(removeBackup(backup));
    runtime.logger.info("BACKUP_EXPIRED", { backup: backup.id });
  }
  return expired.length;
}
