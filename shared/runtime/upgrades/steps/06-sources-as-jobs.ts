import { timestamp } from "../../../kernel/clock.ts";
import { DAY_MS } from "../../../kernel/durations.ts";
import { fromItem, toItem } from "../../../ports/item.ts";
import type { Json } from "../../../ports/json.ts";
import type { StoredRecord } from "../../../ports/record-store.ts";
import type { ReplacingStep } from "./step.ts";
import { type Conversions, type JobItem, toJobItem } from "./work-as-jobs.ts";

type Queued = { org: string; queued_at: string };

type FormerConnection = {
  id: string;
  org: string;
  created_by: string;
  removal?: { delete_documents: boolean; looks: number; next_at: string };
};

type FormerSync = { org: string; connection_id: string; run: number; cursor?: Json; is_running: boolean } & {
  started_at?: string;
  due_at?: string;
  place?: Json;
  has_retried: boolean;
  counts: Json;
  failures: Json;
};

type FormerBackup = { id: string; status: string; progress: Json; created_at: string; created_by: string } & {
  finished_at?: string;
  queued_at: string;
} & { attempts: number; lease_until?: number; started_at?: string; revision: number };

type Ingestion = { source_id: string; generation: number; type: string; labels: Json; content: Json } & {
  content_hash: string;
  created_by: string;
  reading?: Json;
  written: Json;
  rest: Json;
  tokens: number;
  entity_count: number;
};

type Removal = { source_id: string; generation: number; chunks: number; blobs: string[] };

type Upload = { [attribute: string]: Json } & { source_id: string; created_by: string };

/** Converts work of sources, connections and backups. A separate step links a source to its jobs. */
const CONVERSIONS: Conversions = {
  source_ingestion(record) {
    const { org, queued_at, ...former } = fromItem<Ingestion & Queued>(record);
    const { source_id, generation, type, labels, content, content_hash, created_by } = former;
    const { reading, written, rest, tokens, entity_count } = former;
    return waiting(`job_ingestion_${source_id}`, org, queued_at, created_by, {
      kind: "ingest_source",
      input: { source_id, generation, type, labels, content, content_hash, created_by },
      checkpoint: { ...(reading && { reading }), written, rest, tokens, entity_count },
    });
  },

  source_removal(record) {
    const { org, source_id, generation, chunks, blobs, queued_at } = fromItem<Removal & Queued>(record);
    return waiting(`job_removal_${source_id}_${generation}`, org, queued_at, org, {
      kind: "remove_source",
      input: { source_id, generation, chunks, blobs },
      checkpoint: { removed: 0 },
    });
  },

  source_upload(record) {
    const { org, expires_at, ...input } = fromItem<Upload & { org: string; expires_at: string }>(record);
    const work = { kind: "expire_upload" as const, input, checkpoint: null };
    return waiting(`job_upload_${input.source_id}`, org, expires_at, input.created_by, work, {
      submitted_at: timestamp(Date.parse(expires_at) - DAY_MS),
    });
  },

  /** A connection that is being deleted is replaced by a job that removes its sources. */
  connection(record) {
    const { id, org, created_by, removal } = fromItem<FormerConnection>(record);
    if (!removal) return undefined;
    return waiting(`job_removal_${id}`, org, removal.next_at, created_by, {
      kind: "remove_connection",
      input: { connection_id: id, delete_documents: removal.delete_documents },
      checkpoint: { sources_deleted: 0, looks: removal.looks },
    });
  },

  /** A scheduled or running sync becomes a job; one that waits for credentials or a request does not. */
  connection_sync(record) {
    if (record.is_running === undefined) return undefined;
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
    const { pk, sk } = record;
    const sync = { org, connection_id, run: last, ...(cursor !== undefined && { cursor }) };
    if (due_at === undefined) return [toItem({ pk, sk }, record.kind, sync)];
    const run = is_running ? last : last + 1;
    const { place, has_retried, counts, failures } = former;
    const reached = { ...(place !== undefined && { place }), has_retried, counts, failures };
    const noCounts = { sources_created: 0, sources_updated: 0, sources_removed: 0, skipped: 0, failed: 0 };
    const sync_id = `job_sync_${connection_id}`;
    const work = {
      kind: "sync_connection" as const,
      input: { connection_id, run, failed_runs: 0 },
      checkpoint: is_running ? reached : { has_retried: false, counts: noCounts, failures: [] },
    };
    const started = is_running && started_at !== undefined ? { started_at } : {};
    return [
      toItem({ pk, sk }, record.kind, { ...sync, run, sync_id }),
      ...waiting(sync_id, org, due_at, org, work, started),
    ];
  },

  backup(record) {
    if (record.queued_at === undefined) return undefined;
    const {
      attempts: _attempts,
      lease_until: _lease,
      started_at: _started,
      revision: _revision,
      queued_at,
      ...backup
    } = fromItem<FormerBackup>(record);
    const { pk, sk, kind, gsi1pk, gsi1sk } = record;
    const { id, created_at, finished_at = created_at } = backup;
    const org = pk.slice(0, pk.indexOf("#"));
    const completed = { gsi2pk: `${org}#backups#completed`, gsi2sk: `${finished_at}#${id}` };
    const isOver = backup.status === "completed" || backup.status === "failed";
    const index = { gsi1pk, gsi1sk, ...(backup.status === "completed" && completed) };
    const after = toItem({ pk, sk }, kind, { ...backup, ...(!isOver && { status: "queued" }) }, index);
    if (isOver) return [after];
    const work = { kind: "backup" as const, input: {}, checkpoint: backup.progress };
    return [after, ...waiting(id, org, queued_at, backup.created_by, work)];
  },
};

/** Returns a job that is overdue as soon as it is due, so that the sweep enqueues it; attempts restart at zero. */
function waiting(
  id: string,
  org: string,
  queued_at: string,
  submitted_by: string,
  work: Pick<JobItem, "kind" | "input" | "checkpoint">,
  { submitted_at = queued_at, ...more }: Partial<Pick<JobItem, "submitted_at" | "started_at">> = {},
): StoredRecord[] {
  const state = { state: "queued" as const, attempts: 0, revision: 1 };
  return [
    toJobItem({ id, org, ...work, ...state, submitted_by, submitted_at, queued_at, overdue_at: queued_at, ...more }),
  ];
}

export const step: ReplacingStep = {
  version: 2,
  name: "store the work of sources, connections and backups as jobs",
  kinds: Object.keys(CONVERSIONS),
  replace: (record) => CONVERSIONS[record.kind]?.(record),
};
