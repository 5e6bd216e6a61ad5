import type { GroupManifest } from "../../shared/ports/manifest.ts";

export const group: GroupManifest = {
  name: "maintenance",
  prefixes: ["/admin/cleanup", "/admin/sync", "/admin/jobs", "/admin/quarantine"],
  capabilities: ["records", "queue"],
  memoryMb: 256,
};
