/** What the workers understand and compress in the background: a queue a priority, the most urgent first. */
export const COMPRESS_QUEUES = ["compress-critical", "compress-high", "compress-normal"] as const;

/** What becomes of what deleted users owned, where that is too much for the request that deletes them. */
export const HAND_OVER_QUEUE = "hand-over";

/** Sources that are to be read, or to be removed with all their chunks. */
export const INGEST_QUEUE = "ingest-sources";

/** Connections that are to be synchronized, or removed with what they brought. */
export const SYNC_QUEUE = "sync-connections";

/** Imports and exports of memories. */
export const TRANSFER_QUEUE = "transfer-memories";

/** Conversations of which is to be remembered what is worth it. */
export const REMEMBER_QUEUE = "remember";

/** Attempts that are to be made to deliver events to webhooks. */
export const DELIVER_QUEUE = "deliver-webhooks";

/** Those of receivers that failed before, or keep others waiting: on a way of their own, where they are in nobody's. */
export const REDELIVER_QUEUE = "redeliver-webhooks";

/** Backups that are to be made. */
export const BACKUP_QUEUE = "make-backups";

/** Clean-ups and syncs of the whole deployment. */
export const MAINTENANCE_QUEUE = "maintain";

/** Name of the queue that takes what a queue's, stream's or other consumer could not work off. */
export function deadLettersOf(name: string): string {
  return `${name}-dead-letters`;
}
