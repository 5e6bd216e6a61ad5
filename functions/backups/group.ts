import type { GroupManifest } from "../../shared/ports/manifest.ts";

export const group: GroupManifest = {
  name: "backups",
  prefixes: ["/admin/backup", "/admin/backups"],
  capabilities: ["records", "blobs", "queue"],
  memoryMb: 512,
};
