import type { WorkerManifest } from "../../../shared/platform/manifest.ts";
import { EVENT_KINDS } from "../../../shared/webhooks/events.ts";

export const worker: WorkerManifest = {
  name: "follow-changes",
  // A shard of the stream bears two readers: the search index has one, what else follows from changes shares this one.
  source: { stream: { kinds: [...EVENT_KINDS, "group"] } },
  capabilities: ["records", "blobs", "queue"],
  memoryMb: 512,
  timeoutSeconds: 300,
};
