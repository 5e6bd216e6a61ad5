import type { GroupManifest } from "../../shared/ports/manifest.ts";

export const group: GroupManifest = {
  name: "compression",
  prefixes: ["/compression", "/tier"],
  capabilities: ["records", "search", "blobs", "queue", "embedder", "reranker", "models"],
  // A whole processor on Lambda, because benchmarks are CPU-bound.
  memoryMb: 1769,
  timeoutSeconds: 29,
};
