import { timestamp } from "../kernel/clock.ts";
import type { Context } from "../platform/context.ts";
import { type Conversation, partsOf, readPart, remember, type SpokenMessage, statementsOf } from "./conversation.ts";
import { advanceEvent, type CompatEvent, type EventResult, ended, isOver } from "./events.ts";
import { type Place, putPlace, removeRequest } from "./requests.ts";
import { addResults } from "./results.ts";

/** What one step led to. */
interface Step {
  place: Place;
  results: EventResult[];
}

/**
 * Stores what is worth remembering of a conversation, none that is known already, for about so many milliseconds and one
 * step more; answers the event, which ended where nothing is left. What a part tells is noted before any of it is stored:
 * whoever is cut off, at any point, and begins again stores the same. Throws Superseded, and what keeps it from going on.
 */
export async function rememberFor(
  ctx: Context,
  begun: CompatEvent,
  conversation: Conversation,
  from: Place,
  turnMs: number,
): Promise<CompatEvent> {
  const until = performance.now() + turnMs;
  const parts = partsOf(conversation);
  let event = begun;
  let place = from;
  do {
    const part = parts[place.part];
    const step = part ? await takeStep(ctx, event, conversation, part, place, until) : { place, results: [] };
    event = await note(ctx, event, step, parts.length);
    place = step.place;
  } while (!isOver(event) && performance.now() <= until);
  return event;
}

/** Reads a part, or stores what it tells, as far as there is time: a statement at least. */
async function takeStep(
  ctx: Context,
  { id: name, created_at }: CompatEvent,
  conversation: Conversation,
  part: SpokenMessage[],
  place: Place,
  until: number,
): Promise<Step> {
  if (place.found === null) {
    const found = await readPart(ctx, conversation, part, created_at);
    return { place: goneOn({ ...place, found }, found.length), results: [] };
  }
  const statements = statementsOf(part, place.found);
  const results: EventResult[] = [];
  for (const statement of statements.slice(place.stored)) {
    const { id, event } = await remember(ctx, name, conversation, statement, { skip_duplicates: true });
    results.push({ id, event });
    if (performance.now() > until) break;
  }
  return { place: goneOn({ ...place, stored: place.stored + results.length }, statements.length), results };
}

/** The place itself, or the next part where all that this one tells is stored. */
function goneOn(place: Place, told: number): Place {
  return place.stored < told ? place : { part: place.part + 1, found: null, stored: 0 };
}

/** Others know by this that the event is worked on, and where to go on. */
async function note(ctx: Context, before: CompatEvent, { place, results }: Step, parts: number): Promise<CompatEvent> {
  const now = ctx.clock();
  const { event, pages } = addResults(before, results, now);
  if (place.part < parts) {
    const after = { ...event, attempts: 0, updated_at: timestamp(now) };
    return advanceEvent(ctx, after, putPlace(event, place), ...pages);
  }
  const [only, ...others] = event.results;
  const resource = only && others.length === 0 ? { resource_id: only.id } : {};
  return advanceEvent(ctx, ended(event, now, resource), removeRequest(event), ...pages);
}
