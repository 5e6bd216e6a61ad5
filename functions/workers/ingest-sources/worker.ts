import { sourceHandlers } from "../../../shared/domain/knowledge/sources/work.ts";
import type { WorkerManifest } from "../../../shared/ports/manifest.ts";
import type { MessageConsumer } from "../../../shared/ports/messages.ts";
import { INGEST_QUEUE } from "../../../shared/ports/queues.ts";
import type { Runtime } from "../../../shared/runtime/context.ts";
import { jobConsumer } from "../../../shared/runtime/jobs/consumer.ts";

export const worker: WorkerManifest = {
  name: "ingest-sources",
  source: { queues: { names: [INGEST_QUEUE], batchSize: 1, maxReceives: 5 } },
  capabilities: ["records", "blobs", "queue", "models"],
  // A whole core, because the work is CPU-bound.
  memoryMb: 1769,
  // A PDF may take two minutes before its first chunk.
  timeoutSeconds: 300,
};

/** Time for chunks of one source before the next source gets its turn. */
const TURN_MS = 30_000;

/** Processes sources that are too long for a request, and deletes the rest of removed sources. */
export function createMessageConsumer(runtime: Runtime): MessageConsumer {
  return jobConsumer(runtime, sourceHandlers, { turnMs: TURN_MS });
}
