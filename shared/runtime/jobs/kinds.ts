import type { OwnershipChange } from "../../domain/identity/owned-resources.ts";
import type { Names } from "../../domain/integration/compat/filters.ts";
import type {
  ExportInput,
  ExportProgress,
  ImportInput,
  ImportProgress,
} from "../../domain/integration/transfers/transfer.ts";
import type {
  RemovalCheckpoint as ConnectionRemovalCheckpoint,
  RemovalInput as ConnectionRemovalInput,
  SyncCheckpoint,
  SyncInput,
} from "../../domain/knowledge/connections/connection.ts";
import type {
  IngestionCheckpoint,
  IngestionInput,
  RemovalCheckpoint,
  RemovalInput,
  UploadInput,
} from "../../domain/knowledge/sources/source.ts";
import type { ConversationCheckpoint } from "../../domain/memory/conversation-steps.ts";
import type { BackfillCheckpoint, BackfillInput } from "../../domain/memory/fact-backfill.ts";
import type { MemoryJobInput } from "../../domain/memory/jobs.ts";
import type { SecretScanCheckpoint, SecretScanInput } from "../../domain/memory/scan-secrets.ts";
import type { BackupJob } from "../../domain/operations/backups/records.ts";
import type { EraseOrganizationInput } from "../../domain/operations/erasure/erase-organization.ts";
import type { EraseUserInput } from "../../domain/operations/erasure/erase-user.ts";
import type { ErasureCheckpoint } from "../../domain/operations/erasure/steps.ts";
import type {
  CleanupOptions,
  MaintenanceCheckpoint,
  MaintenanceInput,
  SyncOptions,
} from "../../domain/operations/maintenance/plan.ts";
import type { OwnershipTransferCheckpoint } from "../../domain/operations/offboarding/ownership.ts";
import type { FindPatternsInput } from "../../domain/patterns/find-patterns.ts";
import type { RememberSessionCheckpoint, RememberSessionInput } from "../../domain/sessions/remember.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../kernel/durations.ts";
import {
  BACKUP_QUEUE,
  COMPRESS_QUEUES,
  INGEST_QUEUE,
  MAINTENANCE_QUEUE,
  OWNERSHIP_QUEUE,
  REMEMBER_QUEUE,
  SYNC_QUEUE,
  TRANSFER_QUEUE,
} from "../../ports/queues.ts";

/**
 * Every kind of background work with its request (`input`, which never changes) and its progress (`checkpoint`); both
 * are JSON. To add a kind: declare its types here and its policy in JOB_POLICIES, write its `JobHandler` in its domain,
 * pass the handler to the worker of its queue (`jobConsumer`), add the kind to
 * shared/domain/operations/backups/components.ts, and add a scenario to test/jobs/scenarios.
 */
export interface JobTypes {
  cleanup: { input: MaintenanceInput<CleanupOptions>; checkpoint: MaintenanceCheckpoint };
  sync: { input: MaintenanceInput<SyncOptions>; checkpoint: MaintenanceCheckpoint };
  read_facts: { input: BackfillInput; checkpoint: BackfillCheckpoint };
  scan_secrets: { input: SecretScanInput; checkpoint: SecretScanCheckpoint };
  erase_user: { input: EraseUserInput; checkpoint: ErasureCheckpoint };
  erase_organization: { input: EraseOrganizationInput; checkpoint: ErasureCheckpoint };
  find_patterns: { input: FindPatternsInput; checkpoint: null };
  memory_processing: { input: MemoryJobInput; checkpoint: null };
  ownership_transfer: { input: OwnershipChange; checkpoint: OwnershipTransferCheckpoint };
  remember: { input: null; checkpoint: ConversationCheckpoint };
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

/** The properties of a kind that the engine needs besides its handler. Data only, so the sweep needs no handler. */
export interface JobPolicy<Kind extends JobKind = JobKind> {
  /** The queue of its messages, whose worker has the handler. */
  queue: string | ((input: JobInput<Kind>) => string);
  /** Maximum number of attempts without progress, including crashed ones; then the job fails. */
  maxAttempts: number;
  /** Milliseconds to wait after a failed attempt, given the number of attempts. */
  retryMs(attempts: number): number;
  /**
   * Milliseconds of a lease: longer than the time between two `save` or `renew` calls, and than a worker may run on
   * AWS.
   */
  leaseMs: number;
  /** Milliseconds without a worker after which a due job is enqueued again. */
  overdueMs: number;
  /** Milliseconds for which a finished job is kept; forever if absent. With 0, the end deletes the record. */
  keptMs?: number;
  /** How an organization's jobs are listed (`listJobs`); not listed if absent. Kinds may share a list. */
  list?: { name: string; by: "submission" | "state" };
  /** A job that used up its attempts leaves a message in its queue's dead-letter queue; a redrive restarts it. */
  leavesDeadLetter?: true;
}

/** Returns a function from the number of attempts to the wait in milliseconds, which grows with their square. */
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

/** Kept only to investigate failures, because a conversation's checkpoint quotes it. The event keeps the result. */
const COMPAT: JobPolicy = {
  queue: REMEMBER_QUEUE,
  maxAttempts: 5,
  retryMs: retryAfter(5),
  leaseMs: 10 * MINUTE_MS,
  overdueMs: 10 * MINUTE_MS,
  keptMs: DAY_MS,
};

/** Kept as long as their events, which include the job's counts of rows and files. */
const TRANSFER: JobPolicy = { ...COMPAT, queue: TRANSFER_QUEUE, keptMs: 30 * DAY_MS };
/** Jobs of connections: their records describe documents, so deleting a connection deletes them. */
const CONNECTIONS = { queue: SYNC_QUEUE, leaseMs: 6 * MINUTE_MS, overdueMs: 10 * MINUTE_MS, keptMs: 0 };

/** Jobs of sources: their records hold content, so deleting a source deletes them. */
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
  scan_secrets: MAINTENANCE,
  // An erasure must complete: more than a day of attempts. Its record names the user or organization, and proves the erasure.
  erase_user: { ...MAINTENANCE, maxAttempts: 30 },
  erase_organization: { ...MAINTENANCE, maxAttempts: 30 },
  // One per user and interval: its record is not kept. The next memory requests another.
  find_patterns: { ...MAINTENANCE, maxAttempts: 3, keptMs: 0, list: undefined },
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
    queue: OWNERSHIP_QUEUE,
    // Access of a deleted user must be closed: more than a day of attempts.
    maxAttempts: 30,
    retryMs: retryAfter(10),
    leaseMs: 3 * MINUTE_MS,
    overdueMs: 10 * MINUTE_MS,
    leavesDeadLetter: true,
  },
  remember: COMPAT,
  // The checkpoint quotes messages, so the end deletes the job.
  remember_session: { ...COMPAT, keptMs: 0 },
  forget: COMPAT,
  import: TRANSFER,
  export: { ...TRANSFER, list: { name: "exports", by: "submission" } },
  backup: {
    queue: BACKUP_QUEUE,
    maxAttempts: 3,
    retryMs: retryAfter(30),
    // Renewed every two seconds; a worker that lost the lease leaves its archive to the next one.
    leaseMs: 90 * SECOND_MS,
    overdueMs: 10 * MINUTE_MS,
    keptMs: 0,
  },
  ingest_source: { ...SOURCES, maxAttempts: 4, retryMs: retryAfter(5) },
  // A deletion must complete: more than a day of attempts.
  remove_source: { ...SOURCES, maxAttempts: 30, retryMs: retryAfter(10) },
  expire_upload: { ...SOURCES, maxAttempts: 30, retryMs: retryAfter(10) },
  // Another run follows a failed one.
  sync_connection: { ...CONNECTIONS, maxAttempts: 3, retryMs: (attempts) => 5 * MINUTE_MS * 2 ** (attempts - 1) },
  remove_connection: { ...CONNECTIONS, maxAttempts: 30, retryMs: retryAfter(10) },
};

export const JOB_KINDS = Object.keys(JOB_POLICIES) as JobKind[];

export function policyOf(kind: JobKind): JobPolicy {
  return JOB_POLICIES[kind] as JobPolicy;
}
