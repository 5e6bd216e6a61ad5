import type { GroupManifest } from "../../shared/ports/manifest.ts";

export const group: GroupManifest = {
  name: "memories",
  prefixes: ["/memories", "/entities"],
  capabilities: ["records", "search", "blobs", "queue", "embedder", "reranker", "models"],
  memoryMb: 512,
  allowsAgentKeys: true,
};
