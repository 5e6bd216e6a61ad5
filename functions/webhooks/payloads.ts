import { type KeptPayload, maxBytesOf, readPayload } from "../../shared/domain/integration/webhooks/payloads.ts";
import { EVENT_PERMISSIONS, type WebhookEventName } from "../../shared/domain/integration/webhooks/webhook.ts";
import { inParallel } from "../../shared/kernel/parallel.ts";
import type { Json } from "../../shared/ports/json.ts";
import { covers } from "../../shared/runtime/access/permissions.ts";
import type { Context } from "../../shared/runtime/context.ts";

/** Maximum bytes of payloads and responses in one response, because a function's is limited to 6 MB. */
const MAX_BYTES = 4_000_000;
const CONCURRENCY = 8;

type Kept = KeptPayload & { org: string; delivery_id: string; event: WebhookEventName };

/**
 * Returns the payloads of listed items in order: null if the caller may not read the event's resource, if it was
 * deleted, or if the response is full. `otherBytesOf` returns the size of an item without its payload.
 */
export async function payloadsOf<Item extends Kept>(
  ctx: Context,
  items: Item[],
  otherBytesOf: (item: Item) => number,
): Promise<{ payload: Json; isFull: boolean }[]> {
  let bytes = 0;
  return inParallel(items, CONCURRENCY, async (item) => {
    const isFull = bytes > MAX_BYTES;
    if (isFull) return { payload: null, isFull };
    bytes += otherBytesOf(item) + maxBytesOf(item);
    const isReadable = covers(ctx.principal.permissions, EVENT_PERMISSIONS[item.event]);
    const text = isReadable ? await readPayload(ctx.ports.records, item) : undefined;
    return { payload: text === undefined ? null : JSON.parse(text), isFull };
  });
}
