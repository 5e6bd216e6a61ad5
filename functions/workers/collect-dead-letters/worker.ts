import type { WorkerManifest } from "../../../shared/ports/manifest.ts";
import { DELIVER_QUEUE, REDELIVER_QUEUE } from "../../../shared/ports/queues.ts";

export const worker: WorkerManifest = {
  name: "collect-dead-letters",
  source: { deadLetters: { of: [DELIVER_QUEUE, REDELIVER_QUEUE], batchSize: 10 } },
  capabilities: ["records"],
  memoryMb: 256,
  timeoutSeconds: 30,
};
