import type { WorkerManifest } from "../../../shared/platform/manifest.ts";
import { DELIVER_QUEUE, REDELIVER_QUEUE } from "../../../shared/platform/queues.ts";

export const worker: WorkerManifest = {
  name: "collect-dead-letters",
  source: { deadLetters: { of: [DELIVER_QUEUE, REDELIVER_QUEUE], batchSize: 10 } },
  capabilities: ["records"],
  memoryMb: 256,
  timeoutSeconds: 30,
};
