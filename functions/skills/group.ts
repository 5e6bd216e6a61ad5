import type { GroupManifest } from "../../shared/platform/manifest.ts";

export const group: GroupManifest = {
  name: "skills",
  prefixes: ["/skills", "/chains", "/reviews"],
  capabilities: ["records", "search", "embedder", "reranker", "models"],
  admitsAgents: true,
  memoryMb: 512,
  timeoutSeconds: 29,
};
