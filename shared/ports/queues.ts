/** Queues for background extraction and compression, one per priority, most urgent first. */
export const COMPRESS_QUEUES = ["compress-critical", "compress-high", "compress-normal"] as const;

/** Memories that a model reads facts from, after they were stored. */
export const READ_QUEUE = "read-memories";

/** Transfers of a deleted user's resources that exceed the request's time. */
export const OWNERSHIP_QUEUE = "hand-over";

/** Sources to read, or to delete with all their chunks. */
export const INGEST_QUEUE = "ingest-sources";

/** Connections to sync, or to delete with their sources. */
export const SYNC_QUEUE = "sync-connections";

/** Imports and exports of memories. */
export const TRANSFER_QUEUE = "transfer-memories";

/** Conversations from which memories are extracted. */
export const REMEMBER_QUEUE = "remember";

/** Webhook deliveries to attempt. */
export const DELIVER_QUEUE = "deliver-webhooks";

/** Deliveries to receivers that failed before or are slow; a separate queue, so that they do not delay others. */
export const REDELIVER_QUEUE = "redeliver-webhooks";

/** Backups to create. */
export const BACKUP_QUEUE = "make-backups";

/** Cleanups and syncs of the whole deployment. */
export const MAINTENANCE_QUEUE = "maintain";

/** Every queue; each has a dead-letter queue. */
export const QUEUE_NAMES = [
  ...COMPRESS_QUEUES,
  READ_QUEUE,
  OWNERSHIP_QUEUE,
  INGEST_QUEUE,
  SYNC_QUEUE,
  TRANSFER_QUEUE,
  REMEMBER_QUEUE,
  DELIVER_QUEUE,
  REDELIVER_QUEUE,
  BACKUP_QUEUE,
  MAINTENANCE_QUEUE,
] as const;

export type QueueName = (typeof QUEUE_NAMES)[number];

/** The capability to send to a queue. */
export type SendCapability = `queue:${QueueName}`;

/** The capabilities to send to queues, for manifests. */
export function sendsTo(...queues: QueueName[]): SendCapability[] {
  return queues.map((name): SendCapability => `queue:${name}`);
}

/** Returns the name of the dead-letter queue of a queue, a stream or another source. */
export function deadLettersOf(name: string): string {
  return `${name}-dead-letters`;
}
