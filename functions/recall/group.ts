import type { GroupManifest } from "../../shared/ports/manifest.ts";

export const group: GroupManifest = {
  name: "recall",
  prefixes: ["/recall", "/profiles"],
  capabilities: ["records", "search", "embedder", "blobs", "queue"],
  memoryMb: 1024,
  allowsAgentKeys: true,
};
