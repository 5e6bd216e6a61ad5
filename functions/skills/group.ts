import type { GroupManifest } from "../../shared/ports/manifest.ts";

export const group: GroupManifest = {
  name: "skills",
  prefixes: ["/skills", "/chains", "/reviews"],
  capabilities: ["records", "search", "embedder", "reranker", "models"],
  allowsAgentKeys: true,
  memoryMb: 512,
};
