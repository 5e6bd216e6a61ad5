import type { GroupManifest } from "../../shared/ports/manifest.ts";

export const group: GroupManifest = {
  name: "users",
  prefixes: ["/admin/users", "/admin/invites", "/admin/organizations"],
  capabilities: ["records", "blobs", "queue", "mailer"],
  // Lambda provides CPU by memory size, and passwords are hashed here.
  memoryMb: 1024,
  timeoutSeconds: 20,
};
