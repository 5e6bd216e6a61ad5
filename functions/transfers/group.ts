import type { GroupManifest } from "../../shared/ports/manifest.ts";
import { COMPRESS_QUEUES, INGEST_QUEUE, sendsTo, TRANSFER_QUEUE } from "../../shared/ports/queues.ts";

export const group: GroupManifest = {
  name: "transfers",
  prefixes: ["/imports", "/exports", "/events"],
  capabilities: ["records", "blobs", ...sendsTo(TRANSFER_QUEUE, INGEST_QUEUE, ...COMPRESS_QUEUES)],
  memoryMb: 512,
  allowsAgentKeys: true,
};
