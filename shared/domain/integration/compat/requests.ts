import { fromItem, toItem } from "../../../ports/item.ts";
import type { RecordKey, RecordStore, Write } from "../../../ports/record-store.ts";
import type { Context, OrgRuntime } from "../../../runtime/context.ts";
import { loadContent, type StoredContent, storeContent } from "../../memory/content.ts";
import type { Conversation, LeftOut } from "../../memory/conversation.ts";
import { BEGINNING } from "../../memory/conversation-steps.ts";
import { beginEventJob } from "./event-jobs.ts";
import { type CompatEvent, newEvent } from "./events.ts";
import { REMEMBER_JOB } from "./job-kinds.ts";
import { addLeftOut } from "./results.ts";

type Owner = Pick<CompatEvent, "org" | "id">;

const requestKey = ({ org, id }: Owner): RecordKey => ({ pk: `${org}#${id}`, sk: "request" });
const blobKey = ({ org, id }: Owner): string => `requests/${org}/${id}`;

/** A conversation as stored until its job ends: separate from the job, which is written at each checkpoint. */
function putRequest(owner: Owner, stored: StoredContent): Write {
  return { put: toItem(requestKey(owner), "conversation", { org: owner.org, id: owner.id, ...stored }) };
}

/** Stores a conversation and the job that extracts its memories; the event includes `leftOut`. */
export async function beginConversation(ctx: Context, conversation: Conversation, leftOut: LeftOut[] = []) {
  const event = addLeftOut(newEvent(ctx, { type: "memory.add", resource: "memory" }), leftOut);
  const stored = await storeContent(ctx, blobKey(event), JSON.stringify({ remember: conversation }));
  const work = { input: null, checkpoint: BEGINNING };
  return { event, job: await beginEventJob(ctx, event, REMEMBER_JOB, work, putRequest(event, stored)) };
}

/** Whether a worker still has to process the conversation of this event. */
export async function isRequested(records: RecordStore, org: string, id: string): Promise<boolean> {
  return (await records.get(requestKey({ org, id }))) !== undefined;
}

/** The conversation of an unfinished job. Throws if it was deleted. */
export async function loadConversation({ ports }: OrgRuntime, owner: Owner): Promise<Conversation> {
  const record = await ports.records.get(requestKey(owner));
  if (!record) throw new Error(`the stored conversation of the event is missing: ${owner.id}`);
  return upgradeConversation(JSON.parse(await loadContent({ ports }, fromItem<StoredContent>(record))).remember);
}

/** Releases before 0.2.0 stored the event time as the creation time of its memories. */
export function upgradeConversation(conversation: Conversation): Conversation {
  const { created_at, ...draft }: Conversation["draft"] & { created_at?: string } = conversation.draft;
  return created_at === undefined ? conversation : { ...conversation, draft: { occurred_at: created_at, ...draft } };
}

/** Deletes the request of a finished job. A crash may leave its text in the blob store until the next cleanup. */
export function removeRequest(owner: Owner): Write {
  return { delete: requestKey(owner) };
}

/** Deletes the conversation of a finished job from the blob store. */
export async function dropText({ ports }: OrgRuntime, owner: Owner): Promise<void> {
  await ports.blobs.delete(blobKey(owner));
}
