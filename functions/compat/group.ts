import type { GroupManifest } from "../../shared/ports/manifest.ts";

export const group: GroupManifest = {
  name: "compat",
  prefixes: ["/v3", "/v2", "/v1", "/api/v1", "/mem0"],
  capabilities: ["records", "search", "blobs", "queue", "embedder", "reranker", "models", "secrets:sealing"],
  memoryMb: 512,
  allowsAgentKeys: true,
  compatibility: true,
};
