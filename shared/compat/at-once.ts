import { enqueueJob, messageOf } from "../jobs/queue.ts";
import { runJob } from "../jobs/run.ts";
import type { Conversation, LeftOut } from "../memory/conversation.ts";
import { isReadByRules } from "../memory/understand.ts";
import type { Context } from "../platform/context.ts";
import { type CompatEvent, getEvent } from "./events.ts";
import { rememberConversation } from "./remember.ts";
import { beginConversation } from "./requests.ts";

/**
 * How long a conversation is worked on before the answer; the workers do what is left. Tens of milliseconds are usual; the
 * first of a process loads the rules.
 */
const AT_ONCE_MS = 1000;
/** Longer ones are left to the workers: a step ends no sooner than with the message that it reads. */
const MOST_CHARACTERS = 10_000;

/**
 * Stores what is worth remembering of a conversation, as far as there is time before the answer; answers how far that has
 * come. Where models read, or there is much to read, the workers do all of it. The event tells what was left out before.
 */
export async function rememberAtOnce(
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
  return messages.reduce((length, { content }) => length + content.length, 0) <= MOST_CHARACTERS;
}
