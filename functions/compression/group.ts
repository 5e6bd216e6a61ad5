import type { GroupManifest } from "../../shared/ports/manifest.ts";

export const group: GroupManifest = {
  name: "compression",
  prefixes: ["/compression", "/tier"],
  capabilities: ["records", "search", "blobs", "queue", "embedder", "reranker", "models"],
  // Lambda's memory size for one whole vCPU: benchmarks are CPU-bound.
  memoryMb: 1769,
};
