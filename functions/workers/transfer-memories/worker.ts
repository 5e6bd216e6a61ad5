import { exportMemories } from "../../../shared/domain/integration/transfers/export.ts";
import { importRows } from "../../../shared/domain/integration/transfers/import.ts";
import type { WorkerManifest } from "../../../shared/ports/manifest.ts";
import type { MessageConsumer } from "../../../shared/ports/messages.ts";
import { TRANSFER_QUEUE } from "../../../shared/ports/queues.ts";
import type { Runtime } from "../../../shared/runtime/context.ts";
import { jobConsumer } from "../../../shared/runtime/jobs/consumer.ts";

export const worker: WorkerManifest = {
  name: "transfer-memories",
  source: { queues: { names: [TRANSFER_QUEUE], batchSize: 1, maxReceives: 5 } },
  capabilities: ["records", "search", "blobs", "queue", "models"],
  // A whole core, because the work is CPU-bound.
  memoryMb: 1769,
  // Each row of a batch may take as long as a model may.
  timeoutSeconds: 300,
};

/** Time for rows of an import or files of an export before the next job gets its turn. */
const TURN_MS = 30_000;

/** Imports rows and writes export files. */
export function createMessageConsumer(runtime: Runtime): MessageConsumer {
  return jobConsumer(runtime, [importRows, exportMemories], { turnMs: TURN_MS });
}
