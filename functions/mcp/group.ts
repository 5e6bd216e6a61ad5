import type { GroupManifest } from "../../shared/ports/manifest.ts";
import { COMPRESS_QUEUES, sendsTo } from "../../shared/ports/queues.ts";

export const group: GroupManifest = {
  name: "mcp",
  prefixes: ["/mcp"],
  capabilities: ["records", "search", "embedder", "blobs", ...sendsTo(...COMPRESS_QUEUES), "models", "reranker"],
  memoryMb: 1024,
  allowsAgentKeys: true,
  resource: "/mcp",
};
