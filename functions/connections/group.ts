import type { GroupManifest } from "../../shared/platform/manifest.ts";

export const group: GroupManifest = {
  name: "connections",
  prefixes: ["/connections"],
  capabilities: ["records", "blobs", "queue", "models", "secrets"],
  memoryMb: 1024,
  timeoutSeconds: 29,
};
