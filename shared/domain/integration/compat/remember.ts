import type { Context } from "../../../runtime/context.ts";
import type { JobHandler } from "../../../runtime/jobs/handler.ts";
import { enqueueJob, messageOf } from "../../../runtime/jobs/queue.ts";
import { runJob } from "../../../runtime/jobs/run.ts";
import { type Conversation, type LeftOut, partsOf } from "../../memory/conversation.ts";
import { processPart } from "../../memory/conversation-steps.ts";
import { isReadByRules } from "../../memory/understand.ts";
import { resultsOf } from "./changes.ts";
import { actingFor, advanced, eventOf, putFailedEvent, withEvent } from "./event-jobs.ts";
import { type CompatEvent, ended, getEvent, putEvent } from "./events.ts";
import { REMEMBER_JOB } from "./job-kinds.ts";
import { beginConversation, dropText, loadConversation, removeRequest } from "./requests.ts";
import { addLeftOut, addResults } from "./results.ts";

/** How long a conversation is processed before the response; usually tens of milliseconds. The workers do the rest. */
const MAX_SYNCHRONOUS_MS = 1000;
/** Longer conversations are left to the workers: a step cannot end in the middle of a message. */
const MAX_CHARACTERS = 10_000;

/** Extracts memories from a conversation. A step reads a part or stores its recorded results, and can be repeated. */
export const rememberConversation: JobHandler<"remember"> = {
  ...withEvent,
  job: REMEMBER_JOB,

  async step(runtime, turn) {
    const { job } = turn;
    const event = await eventOf(runtime, job);
    const conversation = await loadConversation(runtime, job);
    const parts = partsOf(conversation);
    const part = parts[job.checkpoint.part] ?? [];
    const origin = { door: "mem0" as const, derived_from: event.id };
    const at = { part, checkpoint: job.checkpoint, said_at: event.created_at };
    const work = { name: event.id, origin, conversation, ...at, resultsOf };
    const { checkpoint, results, leftOut } = await processPart(actingFor(runtime, event), work, () => turn.isOver());
    const now = runtime.clock();
    const { event: withResults, pages } = addResults(addLeftOut(event, leftOut), results, now);
    if (checkpoint.part < parts.length) return { checkpoint, writes: [putEvent(advanced(withResults, now)), ...pages] };
    const [only, ...others] = withResults.results;
    const resource = only && others.length === 0 ? { resource_id: only.id } : {};
    const writes = [putEvent(ended(withResults, now, resource)), removeRequest(job), ...pages];
    return { end: "completed", checkpoint, writes };
  },

  onFailed: async (runtime, job) => ({ writes: [await putFailedEvent(runtime, job), removeRequest(job)] }),
  onEnded: dropText,
};

/**
 * Extracts memories from a conversation before the response, for a limited time; the workers do the rest. With a
 * language model or for long text, they do everything. Returns the event, which includes the text that was left out.
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
  await runJob(ctx, [rememberConversation], messageOf(job), MAX_SYNCHRONOUS_MS);
  return getEvent(ctx, event.id);
}

function isShort({ messages }: Conversation): boolean {
  return messages.reduce((length, { content }) => length + content.length, 0) <= MAX_CHARACTERS;
}
