import type { GroupManifest } from "../../shared/ports/manifest.ts";

export const group: GroupManifest = {
  name: "agents",
  prefixes: ["/agents", "/groups"],
  capabilities: ["records", "search", "blobs", "embedder", "reranker", "models"],
  memoryMb: 512,
  allowsAgentKeys: true,
};
