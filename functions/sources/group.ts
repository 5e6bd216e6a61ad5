import type { GroupManifest } from "../../shared/ports/manifest.ts";

export const group: GroupManifest = {
  name: "sources",
  prefixes: ["/sources"],
  capabilities: ["records", "blobs", "queue", "models"],
  memoryMb: 1024,
};
