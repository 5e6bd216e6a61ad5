import type { GroupManifest } from "../../shared/ports/manifest.ts";

export const group: GroupManifest = {
  name: "connections",
  prefixes: ["/connections"],
  capabilities: ["records", "blobs", "queue", "models", "secrets:sealing", "secrets:providers"],
  memoryMb: 1024,
};
