import type { GroupManifest } from "../../shared/ports/manifest.ts";

export const group: GroupManifest = {
  name: "search",
  prefixes: ["/search"],
  capabilities: ["records", "search", "embedder", "reranker"],
  memoryMb: 512,
  allowsAgentKeys: true,
};
