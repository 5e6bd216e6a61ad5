import type { Job } from "../jobs/job.ts";
import { enqueueJob } from "../jobs/queue.ts";
import { loadContent, type StoredContent, storeContent } from "../memory/content.ts";
import type { Conversation, LeftOut } from "../memory/conversation.ts";
import { BEGINNING } from "../memory/reading-place.ts";
import type { Context, OrgHome } from "../platform/context.ts";
import { fromItem, toItem } from "../platform/item.ts";
import type { RecordKey, RecordStore, Write } from "../platform/ports.ts";
import { beginEventJob } from "./event-jobs.ts";
import { type CompatEvent, newEvent } from "./events.ts";
import { addLeftOut } from "./results.ts";

type Owner = Pick<CompatEvent, "org" | "id">;

const requestKey = ({ org, id }: Owner): RecordKey => ({ pk: `${org}#${id}`, sk: "request" });
const blobKey = ({ org, id }: Owner): string => `requests/${org}/${id}`;

/** A conversation as it is kept until its job is over: apart from the job, which is stored at each checkpoint. */
function putRequest(owner: Owner, stored: StoredContent): Write {
  return { put: toItem(requestKey(owner), "conversation", { org: owner.org, id: owner.id, ...stored }) };
}

/** Stores a conversation, and the job that stores what is worth remembering of it; its event tells what was left out before. */
export async function beginConversation(
  ctx: Context,
  remember: Conversation,
  leftOut: LeftOut[] = [],
): Promise<{ event: CompatEvent; job: Job<"remember"> }> {
  const event = addLeftOut(newEvent(ctx, { type: "memory.add", resource: "memory" }), leftOut);
  const stored = await storeContent(ctx, blobKey(event), JSON.stringify({ remember }));
  const work = { input: null, checkpoint: BEGINNING };
  return { event, job: await beginEventJob(ctx, event, "remember", work, putRequest(event, stored)) };
}

/** Has the workers store what is worth remembering of a conversation. */
export async function submitConversation(ctx: Context, remember: Conversation): Promise<CompatEvent> {
  const { event, job } = await beginConversation(ctx, remember);
  await enqueueJob(ctx, job);
  return event;
}

/** Whether a worker has yet to read it. */
export async function isRequested(records: RecordStore, org: string, id: string): Promise<boolean> {
  return (await records.get(requestKey({ org, id }))) !== undefined;
}

/** The conversation of a job that is not over. */
export async function loadConversation({ ports }: OrgHome, owner: Owner): Promise<Conversation> {
  const record = await ports.records.get(requestKey(owner));
  if (!record) throw new Error(`the request of an event is gone: ${owner.id}`);
  return upgradeConversation(JSON.parse(await loadContent({ ports }, fromItem<StoredContent>(record))).remember);
}

/** Releases before 0.2.0 noted when it was said as when its memories were created. */
export function upgradeConversation(conversation: Conversation): Conversation {
  const { created_at, ...draft }: Conversation["draft"] & { created_at?: string } = conversation.draft;
  return created_at === undefined ? conversation : { ...conversation, draft: { occurred_at: created_at, ...draft } };
}

/** Of what is over. A crash may leave its text in the blob store, until the next clean-up. */
export function removeRequest(owner: Owner): Write {
  return { delete: requestKey(owner) };
}

export async function dropText({ ports }: OrgHome, owner: Owner): Promise<void> {
  await ports.blobs.delete(blobKey(owner));
}
