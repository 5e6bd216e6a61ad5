import type { GroupManifest } from "../../shared/platform/manifest.ts";

export const group: GroupManifest = {
  name: "users",
  prefixes: ["/admin/users", "/admin/invites", "/admin/organizations"],
  capabilities: ["records", "blobs", "queue", "mailer"],
  // Lambda gives computing power by memory, and passwords are hashed here.
  memoryMb: 1024,
  timeoutSeconds: 20,
};
