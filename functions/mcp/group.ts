import type { GroupManifest } from "../../shared/ports/manifest.ts";

export const group: GroupManifest = {
  name: "mcp",
  prefixes: ["/mcp"],
  capabilities: ["records", "search", "embedder", "blobs", "queue", "models", "reranker"],
  memoryMb: 1024,
  allowsAgentKeys: true,
};
