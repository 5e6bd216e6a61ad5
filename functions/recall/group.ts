import type { GroupManifest } from "../../shared/ports/manifest.ts";
import { MAINTENANCE_QUEUE, sendsTo } from "../../shared/ports/queues.ts";

export const group: GroupManifest = {
  name: "recall",
  prefixes: ["/recall", "/recalls", "/profiles"],
  capabilities: ["records", "search", "embedder", "blobs", ...sendsTo(MAINTENANCE_QUEUE)],
  memoryMb: 1024,
  allowsAgentKeys: true,
};
