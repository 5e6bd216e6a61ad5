import { occurredMs } from "../kernel/event-time.ts";
import type { Memory } from "../memory/memory.ts";
import { findMemoryRecords, type MemoryReader } from "../memory/records.ts";
import { fromItem } from "../platform/item.ts";
import type { Ranked } from "../retrieval/fusion.ts";
import { factsOfMemories, type PlacedFact } from "./reader.ts";
import { slotOf } from "./records.ts";
import { statusAt } from "./timeline.ts";
import { isAboutPast, validityOf } from "./validity.ts";

/** Hits whose facts are read. */
const MAX_JUDGED = 20;

export interface CurrentFirstOptions<Hit> {
  query: string;
  /** Everything that the search ranked, shown or not: what holds instead of a hit may be in it. */
  among: Hit[];
  /** The moment that what held is asked for, in epoch milliseconds. */
  asOf?: number | undefined;
  /** Leaves out what no longer holds. */
  currentOnly?: boolean | undefined;
  /** False where the hits have another order than by score. */
  reorders?: boolean;
}

/** A hit, and the memory that says what holds instead of what it says. */
export type Judged<Hit> = Hit & { superseded_by?: string };

/**
 * The hits of a search, each memory that no longer holds right behind the one that took its place, which is taken from
 * `among` where it is not shown; unless the question is about the past. With `asOf`, what was said later and did not hold
 * then is left out. Judges the best MAX_JUDGED, by facts that the reader may see. Three round trips.
 */
export async function currentFirst<Hit extends Ranked>(
  ctx: MemoryReader,
  hits: Hit[],
  { query, among, asOf, currentOnly = false, reorders = true }: CurrentFirstOptions<Hit>,
): Promise<Judged<Hit>[]> {
  const facts = await factsOfHits(ctx, hits.slice(0, MAX_JUDGED));
  const validity = validityOf(facts, asOf, query);
  const held = asOf === undefined ? undefined : heldAt(facts, asOf);
  const judged = hits
    .filter(({ id, document }) => asOf === undefined || occurredMs(document) <= asOf || held?.has(id))
    .map((hit): Judged<Hit> => {
      const { superseded, successors } = validity.get(hit.id) ?? {};
      const successor = superseded === "all" ? [...(successors ?? [])].at(-1) : undefined;
      return successor === undefined ? hit : { ...hit, superseded_by: successor };
    });
  const isOfPast = asOf === undefined && isAboutPast(query);
  const ordered = reorders && !isOfPast ? behindSuccessors(judged, among) : judged;
  return currentOnly ? ordered.filter(({ id }) => validity.get(id)?.superseded !== "all") : ordered;
}

async function factsOfHits(ctx: MemoryReader, hits: Ranked[]): Promise<PlacedFact[]> {
  if (hits.length === 0) return [];
  const records = await findMemoryRecords(
    ctx,
    hits.map(({ id }) => id),
  );
  return factsOfMemories(
    ctx,
    records.map((record) => fromItem<Memory>(record)),
  );
}

/** The memories of which something held at a moment. */
function heldAt(facts: PlacedFact[], asOf: number): Set<string> {
  const slots = [...Map.groupBy(facts, slotOf).values()];
  return new Set(slots.flatMap((slot) => statusAt(slot, new Date(asOf)).map(({ memory_id }) => memory_id)));
}

/** What is superseded lends its place, and its score, to what took its place. */
function behindSuccessors<Hit extends Ranked>(hits: Judged<Hit>[], among: Hit[]): Judged<Hit>[] {
  const byId = new Map<string, Judged<Hit>>([...among, ...hits].map((hit) => [hit.id, hit]));
  const ordered = new Map<string, Judged<Hit>>();
  const add = (hit: Judged<Hit>, score: number) => {
    if (ordered.has(hit.id)) return;
    ordered.set(hit.id, { ...hit, score });
  };
  for (const hit of hits) {
    const successor = hit.superseded_by === undefined ? undefined : byId.get(hit.superseded_by);
    if (successor !== undefined) add(successor, hit.score);
    add(hit, hit.score);
  }
  return [...ordered.values()];
}
