import type { GroupManifest } from "../../shared/ports/manifest.ts";
import { COMPRESS_QUEUES, REMEMBER_QUEUE, sendsTo, TRANSFER_QUEUE } from "../../shared/ports/queues.ts";

export const group: GroupManifest = {
  name: "compat",
  prefixes: ["/v3", "/v2", "/v1", "/api/v1", "/mem0"],
  capabilities: [
    "records",
    "search",
    "blobs",
    ...sendsTo(REMEMBER_QUEUE, TRANSFER_QUEUE, ...COMPRESS_QUEUES),
    "embedder",
    "reranker",
    "models",
    "secrets:sealing",
  ],
  memoryMb: 512,
  allowsAgentKeys: true,
  compatibility: true,
};
