import type { PageRequest } from "../../../kernel/pagination.ts";
import type { Component } from "../../../ports/components.ts";
import { fromItem, getObject, toItem } from "../../../ports/item.ts";
import { type Listing, readPage } from "../../../ports/listing.ts";
import type { RecordKey, RecordStore, StoredRecord, Write } from "../../../ports/record-store.ts";
import { OPERATOR_ORG } from "../../../runtime/access/operator.ts";
import type { Job } from "../../../runtime/jobs/job.ts";
import { findJob } from "../../../runtime/jobs/records.ts";
import type { ArchiveManifest } from "./format.ts";
import { BACKUP_JOB } from "./job-kinds.ts";

export const BACKUP_STATES = ["queued", "running", "completed", "failed"] as const;

/** The progress of an archive; for a finished archive, its contents. */
export interface BackupProgress {
  records: number;
  blobs: number;
  /** Size of the compressed archive. */
  bytes: number;
}

/** The input and checkpoint of a backup's job, which has the backup's id. */
export interface BackupJob {
  input: Record<string, never>;
  checkpoint: BackupProgress & {
    /** The snapshot that the job waits for. */
    snapshot?: string;
  };
}

export const NO_PROGRESS: BackupProgress = { records: 0, blobs: 0, bytes: 0 };

/** A backup of the whole deployment: the request, its result and, once completed, its archive. */
export interface Backup {
  id: string;
  /** For an unfinished backup, its job has the status, progress and error. */
  status: (typeof BACKUP_STATES)[number];
  components: Component[];
  include_logs: boolean;
  compression_enabled: boolean;
  retention_days: number;
  progress: BackupProgress;
  created_at: string;
  created_by: string;
  finished_at?: string;
  /** When the sweep deletes it with its archive. */
  expires_at: string;
  /** The error of the last attempt. */
  error?: string;
  archive?: BackupArchive;
}

export interface BackupArchive {
  /** Key of the blob. */
  blob: string;
  /** Size and SHA-256 of the file, so that a copy can be verified. */
  size_bytes: number;
  sha256: string;
  consistency: "moment" | "pages";
  /** Whether it contains secrets, encrypted with the operator's key. */
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

/** Returns the stored form of a backup. */
function toBackupRecord(backup: Backup): StoredRecord {
  const { id, status, created_at, finished_at = created_at } = backup;
  const byEnd = status === "completed" && { gsi2pk: COMPLETED, gsi2sk: `${finished_at}#${id}` };
  const index = { gsi1pk: BACKUPS, gsi1sk: `${created_at}#${id}`, ...byEnd };
  return toItem(backupKey(id), BACKUP_KIND, backup, index);
}

export function insertBackup(backup: Backup): Write {
  return { put: toBackupRecord(backup), condition: "absent" };
}

/** Returns the write for the result of a backup, to be made together with its job's end; it fails after a deletion. */
export function endBackup(backup: Backup): Write {
  return { put: toBackupRecord(backup), condition: "present" };
}

export function removeBackup({ id }: Pick<Backup, "id">): Write {
  return { delete: backupKey(id) };
}

export async function findBackup(records: RecordStore, id: string): Promise<Backup | undefined> {
  const backup = await getObject<Backup>(records, backupKey(id));
  return backup && withJob(records, backup);
}

async function withJob(records: RecordStore, backup: Backup): Promise<Backup> {
  if (!isUnfinished(backup)) return backup;
  const job = await findJob(records, OPERATOR_ORG, backup.id, BACKUP_JOB);
  if (job) return { ...backup, ...stateOf(job) };
  // It ended after the backup was read.
  return (await getObject<Backup>(records, backupKey(backup.id))) ?? backup;
}

function stateOf({ state, checkpoint: { snapshot: _, ...progress }, error }: Job<"backup">): Partial<Backup> {
  return { status: state === "queued" ? state : "running", progress, ...(error !== undefined && { error }) };
}

/** Returns a page of backups, newest first. */
export async function listBackups(records: RecordStore, page: PageRequest): Promise<Listing<Backup>> {
  const { items, ...rest } = await readPage(records, { index: "gsi1", pk: BACKUPS, descending: true }, page);
  return { items: await Promise.all(items.map((item) => withJob(records, fromItem<Backup>(item)))), ...rest };
}

/** Returns the latest completed backup. */
export async function findLatest(records: RecordStore): Promise<Backup | undefined> {
  const { items } = await records.query({ index: "gsi2", pk: COMPLETED, descending: true, limit: 1 });
  return items.map(fromItem<Backup>)[0];
}

/** Returns backups that expired by `now` (ISO 8601), at most as many as one sweep deletes. */
export async function listExpired(records: RecordStore, now: string): Promise<Backup[]> {
  const where = { expires_at: { atMost: now } };
  const { items } = await records.query({ index: "gsi1", pk: BACKUPS, where, limit: MAX_SWEPT });
  return items.map(fromItem<Backup>);
}
