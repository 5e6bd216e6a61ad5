import type { JobHandler } from "../jobs/handler.ts";
import { partsOf } from "../memory/conversation.ts";
import { rememberPart } from "../memory/reading-place.ts";
import { resultsOf } from "./changes.ts";
import { actingFor, advanced, eventOf, tellFailure, withEvent } from "./event-jobs.ts";
import { ended, putEvent } from "./events.ts";
import { dropText, loadConversation, removeRequest } from "./requests.ts";
import { addLeftOut, addResults } from "./results.ts";

/**
 * Stores what is worth remembering of a conversation, none that is known already. A step reads a part, or stores what it
 * tells: that is noted before any of it is stored, so that a step that is done twice stores the same.
 */
export const rememberConversation: JobHandler<"remember"> = {
  ...withEvent,
  kind: "remember",

  async step(home, turn) {
    const { job } = turn;
    const event = await eventOf(home, job);
    const conversation = await loadConversation(home, job);
    const parts = partsOf(conversation);
    const part = parts[job.checkpoint.part] ?? [];
    const work = { name: event.id, conversation, part, place: job.checkpoint, said_at: event.created_at, resultsOf };
    const { place, results, leftOut } = await rememberPart(actingFor(home, event), work, () => turn.isOver());
    const now = home.clock();
    const { event: told, pages } = addResults(addLeftOut(event, leftOut), results, now);
    if (place.part < parts.length) return { checkpoint: place, writes: [putEvent(advanced(told, now)), ...pages] };
    const [only, ...others] = told.results;
    const resource = only && others.length === 0 ? { resource_id: only.id } : {};
    const writes = [putEvent(ended(told, now, resource)), removeRequest(job), ...pages];
    return { end: "completed", checkpoint: place, writes };
  },

  onFailed: async (home, job) => ({ writes: [await tellFailure(home, job), removeRequest(job)] }),
  onEnded: dropText,
};
