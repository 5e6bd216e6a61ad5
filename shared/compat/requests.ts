import { loadContent, type StoredContent, storeContent } from "../memory/content.ts";
import type { Context, OrgHome } from "../platform/context.ts";
import { fromItem, toItem } from "../platform/item.ts";
import type { RecordKey, RecordStore } from "../platform/ports.ts";
import type { Conversation } from "./conversation.ts";
import { type CompatEvent, insertEvent, newEvent } from "./events.ts";
import type { Names } from "./filters.ts";
import { announce } from "./queue.ts";

/** What the worker is to do for an event; deleted are the memories that have all the names. */
export type WorkRequest = { remember: Conversation } | { delete: Names };

const requestKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}`, sk: "request" });
const blobKey = (org: string, id: string): string => `requests/${org}/${id}`;

/** Stores an event and what is to be done for it, and tells the worker. */
export async function submit(
  ctx: Context,
  type: "memory.add" | "memory.delete",
  request: WorkRequest,
): Promise<CompatEvent> {
  const event = newEvent(ctx, { type, resource: "memory" });
  const { org, id } = event;
  const stored = await storeContent(ctx, blobKey(org, id), JSON.stringify(request));
  const put = toItem(requestKey(org, id), "compat_request", { org, id, ...stored });
  await ctx.ports.records.write(insertEvent(event), { put, condition: "absent" });
  await announce(ctx, { org, event_id: id });
  return event;
}

/** Whether a worker has yet to read it. */
export async function isRequested(records: RecordStore, org: string, id: string): Promise<boolean> {
  return (await records.get(requestKey(org, id))) !== undefined;
}

/** Undefined once it was done. */
export async function findRequest(home: OrgHome, event: CompatEvent): Promise<WorkRequest | undefined> {
  const record = await home.ports.records.get(requestKey(home.org, event.id));
  return record && JSON.parse(await loadContent(home, fromItem<StoredContent>(record)));
}

export async function dropRequest({ ports, org }: OrgHome, event: CompatEvent): Promise<void> {
  await ports.blobs.delete(blobKey(org, event.id));
  await ports.records.write({ delete: requestKey(org, event.id) });
}
