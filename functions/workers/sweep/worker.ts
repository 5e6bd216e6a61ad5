import type { WorkerManifest } from "../../../shared/platform/manifest.ts";

export const worker: WorkerManifest = {
  name: "sweep",
  source: { schedule: { everyMinutes: 5 } },
  capabilities: ["records", "search"],
  memoryMb: 256,
  timeoutSeconds: 300,
};
