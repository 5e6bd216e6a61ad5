import type { GroupManifest } from "../../shared/platform/manifest.ts";

export const group: GroupManifest = {
  name: "compression",
  prefixes: ["/compression", "/tier"],
  capabilities: ["records", "search", "blobs", "queue", "embedder", "reranker", "models"],
  // A whole processor on Lambda: benchmarks are work for it alone.
  memoryMb: 1769,
  timeoutSeconds: 29,
};
