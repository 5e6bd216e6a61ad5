import type { GroupManifest } from "../../shared/ports/manifest.ts";
import { COMPRESS_QUEUES, sendsTo } from "../../shared/ports/queues.ts";

export const group: GroupManifest = {
  name: "memories",
  prefixes: ["/memories", "/entities", "/users"],
  capabilities: [
    "records",
    "search",
    "blobs",
    ...sendsTo(...COMPRESS_QUEUES),
    "embedder",
    "reader",
    "reranker",
    "models",
  ],
  memoryMb: 512,
  allowsAgentKeys: true,
};
