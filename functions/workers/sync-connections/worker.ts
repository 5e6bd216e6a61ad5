import { connectionRemoval } from "../../../shared/domain/knowledge/connections/remove.ts";
import { syncConnection } from "../../../shared/domain/knowledge/connections/synchronize.ts";
import type { WorkerManifest } from "../../../shared/ports/manifest.ts";
import type { MessageConsumer } from "../../../shared/ports/messages.ts";
import { COMPRESS_QUEUES, INGEST_QUEUE, SYNC_QUEUE, sendsTo } from "../../../shared/ports/queues.ts";
import type { Runtime } from "../../../shared/runtime/context.ts";
import { jobConsumer } from "../../../shared/runtime/jobs/consumer.ts";

export const worker: WorkerManifest = {
  name: "sync-connections",
  source: { queues: { names: [SYNC_QUEUE], batchSize: 1, maxReceives: 5, maxConcurrency: 10 } },
  capabilities: [
    "records",
    "blobs",
    ...sendsTo(SYNC_QUEUE, INGEST_QUEUE, ...COMPRESS_QUEUES),
    "models",
    "secrets:sealing",
    "secrets:providers",
  ],
  memoryMb: 1024,
  timeoutSeconds: 300,
};

/** Time for one connection before the next one gets its turn. */
const TURN_MS = 60_000;

/** Syncs connections when due, and continues requested syncs. */
export function createMessageConsumer(runtime: Runtime): MessageConsumer {
  const handlers = [syncConnection({ openBucket: runtime.openBucket, turnMs: TURN_MS }), connectionRemoval];
  return jobConsumer(handlers, { turnMs: TURN_MS })(runtime);
}
