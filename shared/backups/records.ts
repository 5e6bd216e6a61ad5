import { OPERATOR_ORG } from "../identity/bootstrap.ts";
import type { Job } from "../jobs/job.ts";
import { findJob } from "../jobs/records.ts";
import type { PageRequest } from "../kernel/pagination.ts";
import type { Component } from "../platform/components.ts";
import { fromItem, toItem } from "../platform/item.ts";
import { type RecordListing, readPage } from "../platform/listing.ts";
import type { RecordKey, RecordStore, StoredRecord, Write } from "../platform/ports.ts";
import type { ArchiveManifest } from "./format.ts";

export const BACKUP_STATES = ["queued", "running", "completed", "failed"] as const;

export type BackupState = (typeof BACKUP_STATES)[number];

/** How far an archive is; of a finished one what it holds. */
export interface BackupProgress {
  records: number;
  blobs: number;
  /** Of the archive, packed. */
  bytes: number;
}

/** What the job of a backup, which has the backup's id, is asked for, and how far its attempt is. */
export interface BackupJob {
  input: Record<string, never>;
  checkpoint: BackupProgress & {
    /** The snapshot that is waited for. */
    snapshot?: string;
  };
}

export const NO_PROGRESS: BackupProgress = { records: 0, blobs: 0, bytes: 0 };

/** A backup of the whole deployment: what was asked for, how it ended and, once completed, its archive. */
export interface Backup {
  id: string;
  /** Of one that has not ended, its job tells status, progress and error. */
  status: BackupState;
  components: Component[];
  include_logs: boolean;
  compression_enabled: boolean;
  retention_days: number;
  progress: BackupProgress;
  created_at: string;
  created_by: string;
  finished_at?: string;
  /** From then on the sweep removes it with its archive. */
  expires_at: string;
  /** What the last attempt failed with. */
  error?: string;
  archive?: BackupArchive;
}

export interface BackupArchive {
  /** Key of the blob. */
  blob: string;
  /** Of the file, for whoever keeps a copy. */
  size_bytes: number;
  sha256: string;
  consistency: "moment" | "pages";
  /** Whether secrets are in it, under the operator's key. */
  sealed: boolean;
  manifest: ArchiveManifest;
}

const BACKUP_KIND = "backup";

const backupKey = (id: string): RecordKey => ({ pk: `${OPERATOR_ORG}#${id}`, sk: "backup" });
const BACKUPS = `${OPERATOR_ORG}#backups`;
const COMPLETED = `${BACKUPS}#completed`;

const MAX_SWEPT = 100;

export function isUnfinished({ status }: Pick<Backup, "status">): boolean {
  return status === "queued" || status === "running";
}

/** A backup as it is stored. */
function toBackupRecord(backup: Backup): StoredRecord {
  const { id, status, created_at, finished_at = created_at } = backup;
  const byEnd = status === "completed" && { gsi2pk: COMPLETED, gsi2sk: `${finished_at}#${id}` };
  const index = { gsi1pk: BACKUPS, gsi1sk: `${created_at}#${id}`, ...byEnd };
  return toItem(backupKey(id), BACKUP_KIND, backup, index);
}

export function insertBackup(backup: Backup): Write {
  return { put: toBackupRecord(backup), condition: "absent" };
}

/** Stores how a backup ended, together with its job's end; refused when it was removed. */
export function endBackup(backup: Backup): Write {
  return { put: toBackupRecord(backup), condition: "present" };
}

export function removeBackup({ id }: Pick<Backup, "id">): Write {
  return { delete: backupKey(id) };
}

export async function findBackup(records: RecordStore, id: string): Promise<Backup | undefined> {
  const record = await records.get(backupKey(id));
  return record && withJob(records, fromItem<Backup>(record));
}

async function withJob(records: RecordStore, backup: Backup): Promise<Backup> {
  if (!isUnfinished(backup)) return backup;
  const job = await findJob(records, OPERATOR_ORG, backup.id, "backup");
  if (job) return { ...backup, ...standOf(job) };
  // It ended since the backup was read.
  const record = await records.get(backupKey(backup.id));
  return record ? fromItem<Backup>(record) : backup;
}

function standOf({ state, checkpoint: { snapshot: _, ...progress }, error }: Job<"backup">): Partial<Backup> {
  return { status: state === "queued" ? state : "running", progress, ...(error !== undefined && { error }) };
}

/** Newest first. */
export async function listBackups(
  records: RecordStore,
  page: PageRequest,
): Promise<Omit<RecordListing, "items"> & { backups: Backup[] }> {
  const { items, ...rest } = await readPage(records, { index: "gsi1", pk: BACKUPS, descending: true }, page);
  const backups = await Promise.all(items.map((item) => withJob(records, fromItem<Backup>(item))));
  return { backups, ...rest };
}

/** The one that was completed last. */
export async function findLatest(records: RecordStore): Promise<Backup | undefined> {
  const { items } = await records.query({ index: "gsi2", pk: COMPLETED, descending: true, limit: 1 });
  const [latest] = items.map(fromItem<Backup>);
  return latest;
}

/** Those whose time is over by `now` (ISO), at most as many as one sweep removes. */
export async function listExpired(records: RecordStore, now: string): Promise<Backup[]> {
  const where = { expires_at: { atMost: now } };
  const { items } = await records.query({ index: "gsi1", pk: BACKUPS, where, limit: MAX_SWEPT });
  return items.map(fromItem<Backup>);
}
