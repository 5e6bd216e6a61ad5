import { OPERATOR_ORG } from "../identity/bootstrap.ts";
import type { PageRequest } from "../kernel/pagination.ts";
import type { Component } from "../platform/components.ts";
import { fromItem, toItem } from "../platform/item.ts";
import { type RecordListing, readPage } from "../platform/listing.ts";
import type { Condition, RecordKey, RecordStore, Write } from "../platform/ports.ts";
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

/** A backup of the whole deployment: what was asked for, where it stands and, once completed, its archive. */
export interface Backup {
  id: string;
  status: BackupState;
  components: Component[];
  include_logs: boolean;
  compression_enabled: boolean;
  retention_days: number;
  progress: BackupProgress;
  created_at: string;
  created_by: string;
  started_at?: string;
  finished_at?: string;
  /** From then on the sweep removes it with its archive. */
  expires_at: string;
  /** How often it was begun; each attempt has an archive of its own, so that none replaces another's. */
  attempts: number;
  /** Epoch milliseconds; until then whoever began it is trusted to be at it. */
  lease_until?: number;
  /** When a message of it was last sent, ISO. */
  queued_at: string;
  /** What the last attempt failed with. */
  error?: string;
  archive?: BackupArchive;
  /** Raised by each change of the status, which names the one it read. */
  revision: number;
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
const UNFINISHED = `${BACKUPS}#unfinished`;

const MAX_SWEPT = 100;

export function isUnfinished({ status }: Pick<Backup, "status">): boolean {
  return status === "queued" || status === "running";
}

function putBackup(backup: Backup, condition: Condition): Write {
  const { id, status, created_at, finished_at = created_at } = backup;
  const byState = {
    ...(status === "completed" && { gsi2pk: COMPLETED, gsi2sk: `${finished_at}#${id}` }),
    ...(isUnfinished(backup) && { gsi2pk: UNFINISHED, gsi2sk: `${created_at}#${id}` }),
  };
  const index = { gsi1pk: BACKUPS, gsi1sk: `${created_at}#${id}`, ...byState };
  return { put: toItem(backupKey(id), BACKUP_KIND, backup, index), condition };
}

export function insertBackup(backup: Backup): Write {
  return putBackup(backup, "absent");
}

/** Stores what a backup becomes, refused when its status changed since it was read. */
export function replaceBackup(before: Backup, change: Partial<Backup>): { backup: Backup; write: Write } {
  const backup = { ...before, ...change, revision: before.revision + 1 };
  return { backup, write: putBackup(backup, { revision: before.revision }) };
}

/** Tells how far it is, and that somebody is still at it; refused once somebody else is. */
export function renewLease({ id, revision }: Backup, lease_until: number, progress: BackupProgress): Write {
  return { update: backupKey(id), set: { lease_until, progress: { ...progress } }, condition: { revision } };
}

export function removeBackup({ id, revision }: Backup): Write {
  return { delete: backupKey(id), condition: { revision } };
}

export async function findBackup(records: RecordStore, id: string): Promise<Backup | undefined> {
  const record = await records.get(backupKey(id));
  return record && fromItem<Backup>(record);
}

/** Newest first. */
export async function listBackups(
  records: RecordStore,
  page: PageRequest,
): Promise<Omit<RecordListing, "items"> & { backups: Backup[] }> {
  const { items, ...rest } = await readPage(records, { index: "gsi1", pk: BACKUPS, descending: true }, page);
  return { backups: items.map(fromItem<Backup>), ...rest };
}

/** The one that was completed last. */
export async function findLatest(records: RecordStore): Promise<Backup | undefined> {
  const { items } = await records.query({ index: "gsi2", pk: COMPLETED, descending: true, limit: 1 });
  const [latest] = items.map(fromItem<Backup>);
  return latest;
}

export async function listUnfinished(records: RecordStore): Promise<Backup[]> {
  const { items } = await records.query({ index: "gsi2", pk: UNFINISHED, limit: MAX_SWEPT });
  return items.map(fromItem<Backup>);
}

/** Those whose time is over by `now` (ISO), at most as many as one sweep removes. */
export async function listExpired(records: RecordStore, now: string): Promise<Backup[]> {
  const where = { expires_at: { atMost: now } };
  const { items } = await records.query({ index: "gsi1", pk: BACKUPS, where, limit: MAX_SWEPT });
  return items.map(fromItem<Backup>);
}
