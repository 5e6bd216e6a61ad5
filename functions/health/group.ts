import type { GroupManifest } from "../../shared/ports/manifest.ts";

export const group: GroupManifest = {
  name: "health",
  prefixes: ["/health", "/ready", "/status"],
  capabilities: ["records", "search", "blobs", "queue", "reader", "reranker"],
  memoryMb: 256,
  timeoutSeconds: 10,
};
