import { unlink } from "../../../shared/domain/agents/unlinking.ts";
import { emitEvents } from "../../../shared/domain/integration/webhooks/emit.ts";
import { EVENT_KINDS } from "../../../shared/domain/integration/webhooks/events.ts";
import type { ChangeConsumer, RecordChange } from "../../../shared/ports/changes.ts";
import { fromItem } from "../../../shared/ports/item.ts";
import type { WorkerManifest } from "../../../shared/ports/manifest.ts";
import { DELIVER_QUEUE, REDELIVER_QUEUE, sendsTo } from "../../../shared/ports/queues.ts";
import type { Runtime } from "../../../shared/runtime/context.ts";

export const worker: WorkerManifest = {
  name: "emit-events",
  deployedName: "follow-changes",
  // A shard of the stream supports two readers: the search index uses one, everything else this one.
  source: { stream: { kinds: [...EVENT_KINDS, "group"] } },
  capabilities: ["records", "blobs", ...sendsTo(DELIVER_QUEUE, REDELIVER_QUEUE)],
  memoryMb: 512,
  timeoutSeconds: 300,
};

/**
 * Creates the second consumer of changes: it removes references to deleted resources and emits webhook events.
 * Both are independent and idempotent.
 */
export function createChangeConsumer(runtime: Runtime): ChangeConsumer {
  return async (changes) => {
    const results = await Promise.allSettled([unlinkDeleted(runtime, changes), emitEvents(runtime, changes)]);
    const errors = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    if (errors.length > 1) throw new AggregateError(errors, "unlinking and emitting failed");
    if (errors.length > 0) throw errors[0];
  };
}

/** Removes all references to a deleted agent, group or skill: memberships, assignments, shares, keys. */
async function unlinkDeleted(runtime: Runtime, changes: RecordChange[]): Promise<void> {
  for (const { before, after } of changes) {
    if (!before || after) continue;
    const { org, id } = fromItem<{ org: string; id: string }>(before);
    const { kind } = before;
    if (kind === "agent" || kind === "group" || kind === "skill") await unlink(runtime, { org, id, kind });
  }
}
