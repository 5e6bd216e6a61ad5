import { type Backup, toBackupRecord } from "../backups/records.ts";
import type { ConnectionSync, SyncCheckpoint } from "../connections/connection.ts";
import { toSyncRecord } from "../connections/records.ts";
import { timestamp } from "../kernel/clock.ts";
import { fromItem } from "../platform/item.ts";
import type { StoredRecord } from "../platform/ports.ts";
import type { Ingestion, RemovalInput, Source, UploadInput } from "../sources/source.ts";
import type { Job } from "./job.ts";
import { toJobRecord } from "./records.ts";

const DAY_MS = 86_400_000;

type Queued = { org: string; queued_at: string };

type FormerConnection = {
  id: string;
  org: string;
  created_by: string;
  removal?: { delete_documents: boolean; looks: number; next_at: string };
};

type FormerSync = Omit<ConnectionSync, "sync_id"> &
  SyncCheckpoint & { is_running: boolean; started_at?: string; due_at?: string };

type FormerBackup = Backup & { attempts: number; lease_until?: number; queued_at: string } & {
  started_at?: string;
  revision: number;
};

/** One of a source, of its kind: a former release had no more. */
const ingestionOf = (source_id: string) => `job_ingestion_${source_id}`;
const uploadOf = (source_id: string) => `job_upload_${source_id}`;

/** By the kind of the record. */
const CONVERSIONS: { [kind: string]: (record: StoredRecord) => StoredRecord[] | undefined } = {
  /** A source names its jobs. A name of one that is not there does no harm. */
  source(record) {
    const { id, status, generation, last_generation } = fromItem<Source>(record);
    const isRead = status === "processing" && { ingestion_id: ingestionOf(id) };
    const mayBeUploaded = last_generation > generation && { upload_id: uploadOf(id) };
    return isRead || mayBeUploaded ? [{ ...record, ...isRead, ...mayBeUploaded }] : undefined;
  },

  source_ingestion(record) {
    const { org, queued_at, ...former } = fromItem<Ingestion & Queued>(record);
    const { source_id, generation, type, labels, content, content_hash, created_by } = former;
    const { reading, written, rest, tokens, entity_count } = former;
    return waiting(ingestionOf(source_id), org, queued_at, created_by, {
      kind: "ingest_source",
      input: { source_id, generation, type, labels, content, content_hash, created_by },
      checkpoint: { ...(reading && { reading }), written, rest, tokens, entity_count },
    });
  },

  source_removal(record) {
    const { org, source_id, generation, chunks, blobs, queued_at } = fromItem<RemovalInput & Queued>(record);
    return waiting(`job_removal_${source_id}_${generation}`, org, queued_at, org, {
      kind: "remove_source",
      input: { source_id, generation, chunks, blobs },
      checkpoint: { removed: 0 },
    });
  },

  source_upload(record) {
    const { org, expires_at, ...input } = fromItem<UploadInput & { org: string; expires_at: string }>(record);
    const work = { kind: "expire_upload" as const, input, checkpoint: null };
    return waiting(uploadOf(input.source_id), org, expires_at, input.created_by, work, {
      submitted_at: timestamp(Date.parse(expires_at) - DAY_MS),
    });
  },

  /** One that is on its way out is gone; a job removes what it brought. */
  connection(record) {
    const { id, org, created_by, removal } = fromItem<FormerConnection>(record);
    if (!removal) return undefined;
    return waiting(`job_removal_${id}`, org, removal.next_at, created_by, {
      kind: "remove_connection",
      input: { connection_id: id, delete_documents: removal.delete_documents },
      checkpoint: { sources_deleted: 0, looks: removal.looks },
    });
  },

  /** What waits for its time, or runs, is a job; what waits for credentials, or to be asked for, is none. */
  connection_sync(record) {
    const {
      org,
      connection_id,
      run: last,
      cursor,
      due_at,
      is_running,
      started_at,
      ...former
    } = fromItem<FormerSync>(record);
    const sync = { org, connection_id, run: last, ...(cursor !== undefined && { cursor }) };
    if (due_at === undefined) return [toSyncRecord(sync)];
    const run = is_running ? last : last + 1;
    const { place, has_retried, counts, failures } = former;
    const reached = { ...(place !== undefined && { place }), has_retried, counts, failures };
    const none = { sources_created: 0, sources_updated: 0, sources_removed: 0, skipped: 0, failed: 0 };
    const sync_id = `job_sync_${connection_id}`;
    const work = {
      kind: "sync_connection" as const,
      input: { connection_id, run, failed_runs: 0 },
      checkpoint: is_running ? reached : { has_retried: false, counts: none, failures: [] },
    };
    const begun = is_running && started_at !== undefined ? { started_at } : {};
    return [toSyncRecord({ ...sync, run, sync_id }), ...waiting(sync_id, org, due_at, org, work, begun)];
  },

  backup(record) {
    const {
      attempts: _attempts,
      lease_until: _lease,
      started_at: _started,
      revision: _revision,
      ...former
    } = fromItem<FormerBackup>(record);
    const { queued_at, ...backup } = former;
    if (backup.status === "completed" || backup.status === "failed") return [toBackupRecord(backup)];
    const org = record.pk.slice(0, record.pk.indexOf("#"));
    const work = { kind: "backup" as const, input: {}, checkpoint: backup.progress };
    return [
      toBackupRecord({ ...backup, status: "queued" }),
      ...waiting(backup.id, org, queued_at, backup.created_by, work),
    ];
  },
};

/** Overdue when it is due, so that the sweep announces it; its attempts begin anew. */
function waiting(
  id: string,
  org: string,
  queued_at: string,
  submitted_by: string,
  work: Pick<Job, "kind" | "input" | "checkpoint">,
  { submitted_at = queued_at, ...more }: Partial<Pick<Job, "submitted_at" | "started_at">> = {},
): StoredRecord[] {
  const state = { state: "queued" as const, attempts: 0, revision: 1 };
  return [
    toJobRecord({ id, org, ...work, ...state, submitted_by, submitted_at, queued_at, overdue_at: queued_at, ...more }),
  ];
}

/**
 * The records that take the place of one of a release before there was one engine: of sources, connections and backups.
 * Undefined for any other record, and for one that stays as it is. Where none of them has its key, it is to be removed.
 */
export function convertFormerSourceWork(record: StoredRecord): StoredRecord[] | undefined {
  return CONVERSIONS[record.kind]?.(record);
}
