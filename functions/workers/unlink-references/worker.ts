import type { WorkerManifest } from "../../../shared/platform/manifest.ts";

export const worker: WorkerManifest = {
  name: "unlink-references",
  source: { stream: { kinds: ["agent", "group", "skill"] } },
  capabilities: ["records", "blobs"],
  memoryMb: 256,
  timeoutSeconds: 300,
};
