import type { Context } from "../platform/context.ts";
import {
  type Found,
  type LeftOut,
  readPart,
  remember,
  type SpokenMessage,
  statementsOf,
  type Telling,
} from "./conversation.ts";
import { independentGroups } from "./duplicates.ts";
import { type EventResult, toResult } from "./remembered.ts";

/** Statements that are stored at the same time; on one machine they share a commit. */
const CONCURRENCY = 8;

/** How far a conversation was worked on. */
export type Place = {
  /** The parts before it are done. */
  part: number;
  /** What it tells; null until it was read. Stored is what was found, never what another reading would tell. */
  found: Found | null;
  /** How many of what was found are stored. */
  stored: number;
};

export const BEGINNING: Place = { part: 0, found: null, stored: 0 };

/** What a step works on; `said_at` (ISO) is when it was said. */
export interface PartWork extends Telling {
  part: SpokenMessage[];
  place: Place;
  said_at: string;
}

/** How far a step came, what it stored, and what becomes no memory. */
export interface PartReached {
  place: Place;
  results: EventResult[];
  leftOut: LeftOut[];
}

/**
 * Reads a part, or stores what it tells, as far as there is time: a group of statements at least. What was found is to be saved before
 * any of it is stored, so that a step that is done twice stores the same.
 */
export async function rememberPart(
  ctx: Context,
  { part, place, said_at, ...telling }: PartWork,
  isOver: () => boolean,
): Promise<PartReached> {
  if (place.found === null) {
    const { found, leftOut } = await readPart(ctx, telling.conversation, part, said_at);
    return { place: goneOn({ ...place, found }, found.length), results: [], leftOut };
  }
  const statements = statementsOf(part, place.found);
  const results: EventResult[] = [];
  let { stored } = place;
  for (const group of independentGroups(statements.slice(place.stored), CONCURRENCY)) {
    const remembered = await allSettled(
      group.map((statement) => remember(ctx, telling, statement, { skip_duplicates: true })),
    );
    results.push(...remembered.flat().map(toResult));
    stored += group.length;
    if (isOver()) break;
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
