import type { WorkerManifest } from "../../../shared/ports/manifest.ts";

export const worker: WorkerManifest = {
  name: "index-memories",
  source: { stream: { kinds: ["memory", "skill"] } },
  capabilities: ["records", "search", "blobs", "embedder"],
  memoryMb: 512,
  timeoutSeconds: 60,
};
