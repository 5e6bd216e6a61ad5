import type { GroupManifest } from "../../shared/ports/manifest.ts";
import { COMPRESS_QUEUES, INGEST_QUEUE, sendsTo } from "../../shared/ports/queues.ts";

export const group: GroupManifest = {
  name: "sources",
  prefixes: ["/sources"],
  capabilities: ["records", "blobs", ...sendsTo(INGEST_QUEUE, ...COMPRESS_QUEUES), "models"],
  memoryMb: 1024,
};
