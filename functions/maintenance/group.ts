import type { GroupManifest } from "../../shared/platform/manifest.ts";

export const group: GroupManifest = {
  name: "maintenance",
  prefixes: ["/admin/cleanup", "/admin/sync", "/admin/jobs", "/admin/quarantine"],
  capabilities: ["records", "queue"],
  memoryMb: 256,
  // Waits for a clean-up that is soon done.
  timeoutSeconds: 29,
};
