import type { GroupManifest } from "../../shared/platform/manifest.ts";

export const group: GroupManifest = {
  name: "monitoring",
  prefixes: ["/admin/health", "/admin/metrics", "/admin/logs"],
  capabilities: ["records", "search", "blobs", "queue", "logs"],
  memoryMb: 512,
  // A query of the logs on AWS takes seconds.
  timeoutSeconds: 29,
};
