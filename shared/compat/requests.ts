import { loadContent, type StoredContent, storeContent } from "../memory/content.ts";
import type { Context, OrgHome } from "../platform/context.ts";
import { fromItem, toItem } from "../platform/item.ts";
import type { RecordKey, RecordStore, Write } from "../platform/ports.ts";
import type { Conversation, Found } from "./conversation.ts";
import { type CompatEvent, insertEvent, newEvent } from "./events.ts";
import type { Names } from "./filters.ts";
import { announce } from "./queue.ts";

/** What the worker is to do for an event; deleted are the memories that have all the names. */
export type WorkRequest = { remember: Conversation } | { delete: Names };

/** How far a conversation was worked on. */
export type Place = {
  /** The parts before it are done. */
  part: number;
  /** What it tells; null until it was read. Stored is what was found, never what another reading would tell. */
  found: Found | null;
  /** How many of what was found are stored. */
  stored: number;
};

const BEGINNING: Place = { part: 0, found: null, stored: 0 };

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

/** What is to be done for an event that is not over, and how far a conversation came. */
export async function getRequest(
  { ports, org }: OrgHome,
  { id }: Pick<CompatEvent, "id">,
): Promise<{ request: WorkRequest; place: Place }> {
  const record = await ports.records.get(requestKey(org, id));
  if (!record) throw new Error(`the request of an event is gone: ${id}`);
  const stored = fromItem<StoredContent & { place?: Place }>(record);
  return {
    request: upgradeRequest(JSON.parse(await loadContent({ ports }, stored))),
    place: stored.place ?? BEGINNING,
  };
}

/** Releases before 0.2.0 noted when it was said as when its memories were created. */
export function upgradeRequest(request: WorkRequest): WorkRequest {
  if (!("remember" in request)) return request;
  const { created_at, ...draft }: Conversation["draft"] & { created_at?: string } = request.remember.draft;
  if (created_at === undefined) return request;
  return { remember: { ...request.remember, draft: { occurred_at: created_at, ...draft } } };
}

/** Notes how far a conversation came. */
export function putPlace({ org, id }: Pick<CompatEvent, "org" | "id">, place: Place): Write {
  return { update: requestKey(org, id), set: { place }, condition: "present" };
}

/** Of what is done. Its text may be left in the blob store, if this is cut short there, until the next clean-up. */
export function removeRequest({ org, id }: Pick<CompatEvent, "org" | "id">): Write {
  return { delete: requestKey(org, id) };
}

export async function dropText({ ports }: OrgHome, { org, id }: Pick<CompatEvent, "org" | "id">): Promise<void> {
  await ports.blobs.delete(blobKey(org, id));
}
