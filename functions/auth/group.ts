import type { GroupManifest } from "../../shared/ports/manifest.ts";

/** The memory size provides CPU: a password costs 19 MB and about 50 ms on a whole core. */
export const group: GroupManifest = {
  name: "auth",
  prefixes: ["/auth", "/admin/signing-keys"],
  capabilities: ["records", "secrets:signing", "secrets:sealing", "secrets:providers", "mailer"],
  memoryMb: 1024,
  timeoutSeconds: 20,
};
