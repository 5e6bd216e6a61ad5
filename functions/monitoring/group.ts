import type { GroupManifest } from "../../shared/ports/manifest.ts";

export const group: GroupManifest = {
  name: "monitoring",
  prefixes: ["/admin/health", "/admin/metrics", "/admin/logs"],
  capabilities: ["records", "search", "blobs", "queue", "reader", "logs"],
  memoryMb: 512,
};
