import type { JobHandler } from "../../../runtime/jobs/handler.ts";
import { partsOf } from "../../memory/conversation.ts";
import { processPart } from "../../memory/conversation-steps.ts";
import { resultsOf } from "./changes.ts";
import { actingFor, advanced, eventOf, putFailedEvent, withEvent } from "./event-jobs.ts";
import { ended, putEvent } from "./events.ts";
import { dropText, loadConversation, removeRequest } from "./requests.ts";
import { addLeftOut, addResults } from "./results.ts";

/**
 * Extracts memories from a conversation, except known ones. A step reads a part or stores its results: the results are
 * recorded before any is stored, so that a repeated step stores the same.
 */
export const rememberConversation: JobHandler<"remember"> = {
  ...withEvent,
  kind: "remember",

  async step(runtime, turn) {
    const { job } = turn;
    const event = await eventOf(runtime, job);
    const conversation = await loadConversation(runtime, job);
    const parts = partsOf(conversation);
    const part = parts[job.checkpoint.part] ?? [];
    const work = { name: event.id, conversation, part, place: job.checkpoint, said_at: event.created_at, resultsOf };
    const { place, results, leftOut } = await processPart(actingFor(runtime, event), work, () => turn.isOver());
    const now = runtime.clock();
    const { event: told, pages } = addResults(addLeftOut(event, leftOut), results, now);
    if (place.part < parts.length) return { checkpoint: place, writes: [putEvent(advanced(told, now)), ...pages] };
    const [only, ...others] = told.results;
    const resource = only && others.length === 0 ? { resource_id: only.id } : {};
    const writes = [putEvent(ended(told, now, resource)), removeRequest(job), ...pages];
    return { end: "completed", checkpoint: place, writes };
  },

  onFailed: async (runtime, job) => ({ writes: [await putFailedEvent(runtime, job), removeRequest(job)] }),
  onEnded: dropText,
};
