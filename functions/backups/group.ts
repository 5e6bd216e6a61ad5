import type { GroupManifest } from "../../shared/ports/manifest.ts";
import { BACKUP_QUEUE, sendsTo } from "../../shared/ports/queues.ts";

export const group: GroupManifest = {
  name: "backups",
  prefixes: ["/admin/backup", "/admin/backups"],
  capabilities: ["records", "blobs", ...sendsTo(BACKUP_QUEUE)],
  memoryMb: 512,
};
