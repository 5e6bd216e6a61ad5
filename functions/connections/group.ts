import type { GroupManifest } from "../../shared/ports/manifest.ts";
import { COMPRESS_QUEUES, INGEST_QUEUE, SYNC_QUEUE, sendsTo } from "../../shared/ports/queues.ts";

export const group: GroupManifest = {
  name: "connections",
  prefixes: ["/connections"],
  capabilities: [
    "records",
    "blobs",
    ...sendsTo(SYNC_QUEUE, INGEST_QUEUE, ...COMPRESS_QUEUES),
    "models",
    "secrets:sealing",
    "secrets:providers",
  ],
  memoryMb: 1024,
};
