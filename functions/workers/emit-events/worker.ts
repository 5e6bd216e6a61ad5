import { EVENT_KINDS } from "../../../shared/domain/integration/webhooks/events.ts";
import type { WorkerManifest } from "../../../shared/ports/manifest.ts";

export const worker: WorkerManifest = {
  name: "emit-events",
  deployedName: "follow-changes",
  // A shard of the stream supports two readers: the search index is one, everything else shares this one.
  source: { stream: { kinds: [...EVENT_KINDS, "group"] } },
  capabilities: ["records", "blobs", "queue"],
  memoryMb: 512,
  timeoutSeconds: 300,
};
