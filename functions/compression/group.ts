import type { GroupManifest } from "../../shared/ports/manifest.ts";
import { COMPRESS_QUEUES, sendsTo } from "../../shared/ports/queues.ts";

export const group: GroupManifest = {
  name: "compression",
  prefixes: ["/compression", "/tier"],
  capabilities: ["records", "search", "blobs", ...sendsTo(...COMPRESS_QUEUES), "embedder", "reranker", "models"],
  // Lambda's memory size for one whole vCPU: benchmarks are CPU-bound.
  memoryMb: 1769,
};
