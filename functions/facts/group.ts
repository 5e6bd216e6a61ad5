import type { GroupManifest } from "../../shared/ports/manifest.ts";
import { MAINTENANCE_QUEUE, sendsTo } from "../../shared/ports/queues.ts";

export const group: GroupManifest = {
  name: "facts",
  prefixes: ["/facts", "/graph", "/patterns"],
  capabilities: ["records", ...sendsTo(MAINTENANCE_QUEUE)],
  memoryMb: 512,
  allowsAgentKeys: true,
};
