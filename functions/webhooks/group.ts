import type { GroupManifest } from "../../shared/ports/manifest.ts";
import { DELIVER_QUEUE, REDELIVER_QUEUE, sendsTo } from "../../shared/ports/queues.ts";

export const group: GroupManifest = {
  name: "webhooks",
  prefixes: ["/webhooks"],
  capabilities: ["records", ...sendsTo(DELIVER_QUEUE, REDELIVER_QUEUE), "secrets:sealing"],
  memoryMb: 512,
};
