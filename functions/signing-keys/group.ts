import type { GroupManifest } from "../../shared/platform/manifest.ts";

export const group: GroupManifest = {
  name: "signing-keys",
  prefixes: ["/admin/signing-keys"],
  capabilities: ["records", "secrets"],
  memoryMb: 256,
  timeoutSeconds: 10,
};
