import { covers } from "../../shared/identity/permissions.ts";
import { inParallel } from "../../shared/kernel/parallel.ts";
import type { Context } from "../../shared/platform/context.ts";
import type { Json } from "../../shared/platform/ports.ts";
import { type KeptPayload, mostBytesOf, readPayload } from "../../shared/webhooks/payloads.ts";
import { permissionToRead, type WebhookEventName } from "../../shared/webhooks/webhook.ts";

/** Bytes of payloads and responses in one answer: a function answers no more than 6 MB. */
const MOST_BYTES = 4_000_000;
const WIDTH = 8;

type Kept = KeptPayload & { org: string; delivery_id: string; event: WebhookEventName };

/**
 * The payloads of what is listed, in its order: null where the caller may not read what the event is about, where it is
 * gone, or where those before it fill the answer. `besides` is how many bytes an item has besides its payload.
 */
export async function payloadsOf<Item extends Kept>(
  ctx: Context,
  items: Item[],
  besides: (item: Item) => number,
): Promise<{ payload: Json; isFull: boolean }[]> {
  let bytes = 0;
  return inParallel(items, WIDTH, async (item) => {
    const isFull = bytes > MOST_BYTES;
    if (isFull) return { payload: null, isFull };
    bytes += besides(item) + mostBytesOf(item);
    const isReadable = covers(ctx.principal.permissions, permissionToRead(item.event));
    const text = isReadable ? await readPayload(ctx.ports.records, item) : undefined;
    return { payload: text === undefined ? null : JSON.parse(text), isFull };
  });
}
