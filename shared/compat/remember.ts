import type { JobHandler, JobTurn } from "../jobs/handler.ts";
import { independentGroups } from "../memory/duplicates.ts";
import type { Context } from "../platform/context.ts";
import {
  type Conversation,
  type LeftOut,
  partsOf,
  readPart,
  remember,
  type SpokenMessage,
  statementsOf,
} from "./conversation.ts";
import { actingFor, advanced, eventOf, tellFailure, withEvent } from "./event-jobs.ts";
import { type CompatEvent, type EventResult, ended, putEvent } from "./events.ts";
import { dropText, loadConversation, type Place, removeRequest } from "./requests.ts";
import { addLeftOut, addResults, toResult } from "./results.ts";

/** Statements that are stored at the same time; on one machine they share a commit. */
const CONCURRENCY = 8;

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
    const { place, results, leftOut } = await workOn(
      actingFor(home, event),
      event,
      turn,
      conversation,
      parts[job.checkpoint.part],
    );
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

/** Reads a part, or stores what it tells, as far as there is time: a group of statements at least. */
async function workOn(
  ctx: Context,
  { id: name, created_at }: CompatEvent,
  turn: JobTurn<"remember">,
  conversation: Conversation,
  part: SpokenMessage[] | undefined,
): Promise<{ place: Place; results: EventResult[]; leftOut: LeftOut[] }> {
  const place = turn.job.checkpoint;
  if (!part) return { place, results: [], leftOut: [] };
  if (place.found === null) {
    const { found, leftOut } = await readPart(ctx, conversation, part, created_at);
    return { place: goneOn({ ...place, found }, found.length), results: [], leftOut };
  }
  const statements = statementsOf(part, place.found);
  const results: EventResult[] = [];
  let { stored } = place;
  for (const group of independentGroups(statements.slice(place.stored), CONCURRENCY)) {
    const remembered = await allSettled(
      group.map((statement) => remember(ctx, name, conversation, statement, { skip_duplicates: true })),
    );
    results.push(...remembered.flat().map(toResult));
    stored += group.length;
    if (turn.isOver()) break;
  }
  return {
    place: goneOn({ ...place, stored }, statements.length),
    results,
    leftOut: [],
  };
}

/** The results in order, once all have ended: a statement that fails is tried again with its group, of which none is left at work. */
async function allSettled<T>(work: Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(work);
  return Promise.all(work);
}

/** The place itself, or the next part where all that this one tells is stored. */
function goneOn(place: Place, told: number): Place {
  return place.stored < told ? place : { part: place.part + 1, found: null, stored: 0 };
}
