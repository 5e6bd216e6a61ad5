import type { BackupJob } from "../backups/records.ts";
import type { Names } from "../compat/filters.ts";
import type {
  RemovalCheckpoint as ConnectionRemovalCheckpoint,
  RemovalInput as ConnectionRemovalInput,
  SyncCheckpoint,
  SyncInput,
} from "../connections/connection.ts";
import type { EraseUserCheckpoint, EraseUserInput } from "../erasure/erase-user.ts";
import type { BackfillCheckpoint, BackfillInput } from "../facts/backfill.ts";
import type { Succession } from "../identity/belongings.ts";
import type { HandOverCheckpoint } from "../identity/ownership.ts";
import type { SyncOptions } from "../maintenance/components.ts";
import type { CleanupOptions } from "../maintenance/operations.ts";
import type { MaintenanceCheckpoint, MaintenanceInput } from "../maintenance/plan.ts";
import type { MemoryJobInput } from "../memory/jobs.ts";
import type { Place } from "../memory/reading-place.ts";
import {
  BACKUP_QUEUE,
  COMPRESS_QUEUES,
  HAND_OVER_QUEUE,
  INGEST_QUEUE,
  MAINTENANCE_QUEUE,
  REMEMBER_QUEUE,
  SYNC_QUEUE,
  TRANSFER_QUEUE,
} from "../platform/queues.ts";
import type { RememberSessionCheckpoint, RememberSessionInput } from "../sessions/remember.ts";
import type {
  IngestionCheckpoint,
  IngestionInput,
  RemovalCheckpoint,
  RemovalInput,
  UploadInput,
} from "../sources/source.ts";
import type { ExportInput, ExportProgress, ImportInput, ImportProgress } from "../transfers/transfer.ts";

/**
 * Every kind of background work, by what it is asked for (`input`, which never changes) and how far it is (`checkpoint`);
 * both are JSON. To add a kind: name its types here and its policy in JOB_POLICIES, write its `JobHandler` (its `step`)
 * beside its domain, give the handler to the worker of its queue (`jobConsumer`), add the kind to a component in
 * shared/backups/components.ts, and add a scenario to the table in test/jobs. The sweep finds it by itself.
 */
export interface JobTypes {
  cleanup: { input: MaintenanceInput<CleanupOptions>; checkpoint: MaintenanceCheckpoint };
  sync: { input: MaintenanceInput<SyncOptions>; checkpoint: MaintenanceCheckpoint };
  read_facts: { input: BackfillInput; checkpoint: BackfillCheckpoint };
  erase_user: { input: EraseUserInput; checkpoint: EraseUserCheckpoint };
  memory_processing: { input: MemoryJobInput; checkpoint: null };
  ownership_transfer: { input: Succession; checkpoint: HandOverCheckpoint };
  remember: { input: null; checkpoint: Place };
  remember_session: { input: RememberSessionInput; checkpoint: RememberSessionCheckpoint };
  forget: { input: { names: Names }; checkpoint: null };
  import: { input: ImportInput; checkpoint: ImportProgress };
  export: { input: ExportInput; checkpoint: ExportProgress };
  backup: BackupJob;
  ingest_source: { input: IngestionInput; checkpoint: IngestionCheckpoint };
  remove_source: { input: RemovalInput; checkpoint: RemovalCheckpoint };
  expire_upload: { input: UploadInput; checkpoint: null };
  sync_connection: { input: SyncInput; checkpoint: SyncCheckpoint };
  remove_connection: { input: ConnectionRemovalInput; checkpoint: ConnectionRemovalCheckpoint };
}

export type JobKind = keyof JobTypes;
export type JobInput<Kind extends JobKind> = JobTypes[Kind]["input"];
export type JobCheckpoint<Kind extends JobKind> = JobTypes[Kind]["checkpoint"];

/** What the engine must know of a kind besides its handler. Data only, so that the sweep needs no handler. */
export interface JobPolicy<Kind extends JobKind = JobKind> {
  /** Where its messages are sent: whose worker has the handler. */
  queue: string | ((input: JobInput<Kind>) => string);
  /** Attempts without progress, those that a crash ended included, after which the job fails. */
  maxAttempts: number;
  /** How long to wait after an attempt that failed, 1.. of them. */
  retryMs(attempts: number): number;
  /** Longer than a step takes from one `save` or `renew` to the next, and than a worker on AWS may run. */
  leaseMs: number;
  /** After this long without a worker, a job that is due is announced again. */
  overdueMs: number;
  /** How long the record is kept after the end, for good when absent; with 0 the end deletes it, and its content with it. */
  keptMs?: number;
  /** How the jobs of an organization are listed (`listJobs`); not at all when absent. Kinds may share a list. */
  list?: { name: string; by: "submission" | "state" };
  /** A job that used up its attempts leaves a dead letter in its queue's; a redrive of that begins it again. */
  leavesDeadLetter?: true;
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Waits that grow with the square of the attempts. */
const retryAfter = (seconds: number) => (attempts: number) => seconds * SECOND_MS * attempts ** 2;

const MAINTENANCE: JobPolicy = {
  queue: MAINTENANCE_QUEUE,
  maxAttempts: 5,
  retryMs: retryAfter(10),
  leaseMs: 10 * MINUTE_MS,
  overdueMs: 15 * MINUTE_MS,
  keptMs: 30 * DAY_MS,
  list: { name: "maintenance", by: "submission" },
};

/** Kept no longer than to look into a failure: a conversation's checkpoint quotes it. The event has what came of it. */
const COMPAT: JobPolicy = {
  queue: REMEMBER_QUEUE,
  maxAttempts: 5,
  retryMs: retryAfter(5),
  leaseMs: 10 * MINUTE_MS,
  overdueMs: 10 * MINUTE_MS,
  keptMs: DAY_MS,
};

/** Kept as long as their events, which are told with what the job says of rows and files. */
const TRANSFER: JobPolicy = { ...COMPAT, queue: TRANSFER_QUEUE, keptMs: 30 * DAY_MS };
/** Of connections: what their jobs hold tells of documents, which a connection that is removed takes along. */
const CONNECTIONS = {
  queue: SYNC_QUEUE,
  leaseMs: 6 * MINUTE_MS,
  overdueMs: 10 * MINUTE_MS,
  keptMs: 0,
};

/** Of sources: what their jobs hold is content, which a source that is deleted takes along. */
const SOURCES = {
  queue: INGEST_QUEUE,
  // A PDF may take two minutes before its first chunk.
  leaseMs: 10 * MINUTE_MS,
  overdueMs: 10 * MINUTE_MS,
  keptMs: 0,
};

export const JOB_POLICIES: { readonly [Kind in JobKind]: JobPolicy<Kind> } = {
  cleanup: MAINTENANCE,
  sync: MAINTENANCE,
  read_facts: MAINTENANCE,
  // What was asked to be erased must go: more than a day of attempts. Its record names the user, so the end deletes it.
  erase_user: { ...MAINTENANCE, maxAttempts: 30, keptMs: 0, list: undefined },
  memory_processing: {
    queue: ({ priority }) => COMPRESS_QUEUES[priority],
    maxAttempts: 3,
    retryMs: retryAfter(30),
    leaseMs: 3 * MINUTE_MS,
    overdueMs: 10 * MINUTE_MS,
    keptMs: 14 * DAY_MS,
    list: { name: "memory", by: "state" },
    leavesDeadLetter: true,
  },
  ownership_transfer: {
    queue: HAND_OVER_QUEUE,
    // What a deleted user's credentials still open must not stay so: more than a day of attempts.
    maxAttempts: 30,
    retryMs: retryAfter(10),
    leaseMs: 3 * MINUTE_MS,
    overdueMs: 10 * MINUTE_MS,
    leavesDeadLetter: true,
  },
  remember: COMPAT,
  // What a checkpoint quotes goes with the job: no event tells of it.
  remember_session: { ...COMPAT, keptMs: 0 },
  forget: COMPAT,
  import: TRANSFER,
  export: { ...TRANSFER, list: { name: "exports", by: "submission" } },
  backup: {
    queue: BACKUP_QUEUE,
    maxAttempts: 3,
    retryMs: retryAfter(30),
    // Renewed every two seconds: a worker that lost it leaves its archive to the next one.
    leaseMs: 90 * SECOND_MS,
    overdueMs: 10 * MINUTE_MS,
    keptMs: 0,
  },
  ingest_source: { ...SOURCES, maxAttempts: 4, retryMs: retryAfter(5) },
  // What was deleted must go: more than a day of attempts.
  remove_source: { ...SOURCES, maxAttempts: 30, retryMs: retryAfter(10) },
  expire_upload: { ...SOURCES, maxAttempts: 30, retryMs: retryAfter(10) },
  // A run that fails is followed by another one.
  sync_connection: { ...CONNECTIONS, maxAttempts: 3, retryMs: (attempts) => 5 * MINUTE_MS * 2 ** (attempts - 1) },
  remove_connection: { ...CONNECTIONS, maxAttempts: 30, retryMs: retryAfter(10) },
};

export const JOB_KINDS = Object.keys(JOB_POLICIES) as JobKind[];

export function policyOf(kind: JobKind): JobPolicy {
  return JOB_POLICIES[kind] as JobPolicy;
}
