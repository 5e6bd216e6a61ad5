import { SWEEP_EVERY_MINUTES } from "../../../shared/domain/memory/tier-records.ts";
import type { WorkerManifest } from "../../../shared/ports/manifest.ts";

export const worker: WorkerManifest = {
  name: "sweep",
  source: { schedule: { everyMinutes: SWEEP_EVERY_MINUTES } },
  capabilities: ["records", "search", "blobs", "queue"],
  memoryMb: 1024,
  timeoutSeconds: 300,
};
