import type { GroupManifest } from "../../shared/platform/manifest.ts";

/** Memory for the CPU that comes with it: a password costs 19 MB and, on a whole core, some 50 ms. */
export const group: GroupManifest = {
  name: "auth",
  prefixes: ["/auth", "/admin/signing-keys"],
  capabilities: ["records", "secrets:signing", "secrets:sealing", "secrets:providers", "mailer"],
  memoryMb: 1024,
  timeoutSeconds: 20,
};
