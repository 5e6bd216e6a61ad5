import type { GroupManifest } from "../../shared/ports/manifest.ts";
import { MAINTENANCE_QUEUE, OWNERSHIP_QUEUE, sendsTo } from "../../shared/ports/queues.ts";

export const group: GroupManifest = {
  name: "users",
  prefixes: ["/admin/users", "/admin/invites", "/admin/organizations"],
  capabilities: ["records", "blobs", ...sendsTo(MAINTENANCE_QUEUE, OWNERSHIP_QUEUE), "mailer"],
  // Lambda provides CPU by memory size, and passwords are hashed here.
  memoryMb: 1024,
  timeoutSeconds: 20,
};
