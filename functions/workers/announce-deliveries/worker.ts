import type { WorkerManifest } from "../../../shared/platform/manifest.ts";
import { ANNOUNCED_EVERY_MINUTES } from "../../../shared/webhooks/schedule.ts";

export const worker: WorkerManifest = {
  name: "announce-deliveries",
  source: { schedule: { everyMinutes: ANNOUNCED_EVERY_MINUTES } },
  capabilities: ["records", "queue"],
  memoryMb: 256,
  timeoutSeconds: 60,
};
