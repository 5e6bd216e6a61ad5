import type { GroupManifest } from "../../shared/ports/manifest.ts";
import { MAINTENANCE_QUEUE, sendsTo } from "../../shared/ports/queues.ts";

export const group: GroupManifest = {
  name: "maintenance",
  prefixes: ["/admin/cleanup", "/admin/sync", "/admin/jobs", "/admin/quarantine", "/admin/secrets"],
  capabilities: ["records", ...sendsTo(MAINTENANCE_QUEUE)],
  memoryMb: 256,
};
