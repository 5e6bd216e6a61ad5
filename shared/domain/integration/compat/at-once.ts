import type { Context } from "../../../runtime/context.ts";
import { enqueueJob, messageOf } from "../../../runtime/jobs/queue.ts";
import { runJob } from "../../../runtime/jobs/run.ts";
import type { Conversation, LeftOut } from "../../memory/conversation.ts";
import { isReadByRules } from "../../memory/understand.ts";
import { type CompatEvent, getEvent } from "./events.ts";
import { rememberConversation } from "./remember.ts";
import { beginConversation } from "./requests.ts";

/**
 * How long a conversation is processed before the response; the workers do the rest. Usually tens of milliseconds; the
 * first one of a process loads the rules.
 */
const AT_ONCE_MS = 1000;
/** Longer conversations are left to the workers: a step cannot end in the middle of a message. */
const MAX_CHARACTERS = 10_000;

/**
 * Extracts memories from a conversation within the time before the response; returns the progress. With a language
 * model, or with much text, the workers do everything. The event includes the text that was left out.
 */
export async function rememberSynchronously(
  ctx: Context,
  conversation: Conversation,
  leftOut: LeftOut[] = [],
): Promise<CompatEvent> {
  const { event, job } = await beginConversation(ctx, conversation, leftOut);
  if (!isShort(conversation) || !(await isReadByRules(ctx))) {
    await enqueueJob(ctx, job);
    return event;
  }
  await runJob(ctx, [rememberConversation], messageOf(job), AT_ONCE_MS);
  return getEvent(ctx, event.id);
}

function isShort({ messages }: Conversation): boolean {
  return messages.reduce((length, { content }) => length + content.length, 0) <= MAX_CHARACTERS;
}
