import { ANNOUNCED_EVERY_MINUTES } from "../../../shared/domain/integration/webhooks/schedule.ts";
import type { WorkerManifest } from "../../../shared/ports/manifest.ts";

export const worker: WorkerManifest = {
  name: "enqueue-deliveries",
  deployedName: "announce-deliveries",
  source: { schedule: { everyMinutes: ANNOUNCED_EVERY_MINUTES } },
  capabilities: ["records", "queue"],
  memoryMb: 256,
  timeoutSeconds: 60,
};
