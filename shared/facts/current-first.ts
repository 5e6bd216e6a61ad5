import { occurredMs } from "../kernel/event-time.ts";
import type { Memory } from "../memory/memory.ts";
import { findMemoryRecords, type MemoryReader } from "../memory/records.ts";
import { fromItem } from "../platform/item.ts";
import type { Ranked } from "../retrieval/fusion.ts";
import { questionTimeOf } from "./question-time.ts";
import { factsOfMemories, type PlacedFact } from "./reader.ts";
import { heldAt, predecessorsOf, validityOf } from "./validity.ts";

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
      const { isOutdated, successors } = validity.get(hit.id) ?? {};
      const successor = isOutdated === true ? [...(successors ?? [])].at(-1) : undefined;
      return successor === undefined ? hit : { ...hit, superseded_by: successor };
    });
  const ordered = reorders ? inTime(judged, among, facts, { query, asOf }) : judged;
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

/** What answers a question by its time goes ahead of what would answer it at another time. */
function inTime<Hit extends Ranked>(
  hits: Judged<Hit>[],
  among: Hit[],
  facts: PlacedFact[],
  { query, asOf }: Pick<CurrentFirstOptions<Hit>, "query" | "asOf">,
): Judged<Hit>[] {
  const time = asOf === undefined ? questionTimeOf(query) : "open";
  if (time === "past") return hits;
  const told = time === "now" ? latestOfEqual(hits) : hits;
  if (time !== "before") return leading(told, among, ({ superseded_by }) => superseded_by);
  const predecessors = predecessorsOf(facts, query);
  return leading(hits, among, ({ id }) => predecessors.get(id));
}

/** Hits that are about as good as the best, by their scores. */
const MAX_EQUAL = 5;
const EQUAL_SHARE = 0.9;
const DAY_MS = 86_400_000;

/** Of hits that are about as good as the best, what was said on a later day goes ahead. The rest stays as it is. */
function latestOfEqual<Hit extends Ranked>(hits: Judged<Hit>[]): Judged<Hit>[] {
  const best = hits[0]?.score ?? 0;
  const equal = hits.slice(0, MAX_EQUAL).filter(({ score }) => score >= EQUAL_SHARE * best);
  const dayOf = ({ document }: Hit) => Math.floor(occurredMs(document) / DAY_MS);
  const latest = equal
    .toSorted((one, other) => dayOf(other) - dayOf(one))
    .map((hit, place) => ({ ...hit, score: equal[place]?.score ?? hit.score }));
  return [...latest, ...hits.slice(equal.length)];
}

/** A hit lends its place, and its score, to the one that leads it. */
function leading<Hit extends Ranked>(
  hits: Judged<Hit>[],
  among: Hit[],
  leaderOf: (hit: Judged<Hit>) => string | undefined,
): Judged<Hit>[] {
  const byId = new Map<string, Judged<Hit>>([...among, ...hits].map((hit) => [hit.id, hit]));
  const ordered = new Map<string, Judged<Hit>>();
  const add = (hit: Judged<Hit>, score: number) => {
    if (ordered.has(hit.id)) return;
    ordered.set(hit.id, { ...hit, score });
  };
  for (const hit of hits) {
    const leader = byId.get(leaderOf(hit) ?? "");
    if (leader !== undefined) add(leader, hit.score);
    add(hit, hit.score);
  }
  return [...ordered.values()];
}
