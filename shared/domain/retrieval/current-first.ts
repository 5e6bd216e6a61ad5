import { occurredMs } from "../../kernel/event-time.ts";
import { takeTurn } from "../../kernel/turns.ts";
import type { Query } from "../../language/questions/query.ts";
import { type QuestionTime, questionTimeOf } from "../../language/questions/question-time.ts";
import { fromItem } from "../../ports/item.ts";
import type { SearchScope, SearchSource } from "../../ports/search-index.ts";
import { factsOfFound, factsOfMemories, type PlacedFact } from "../memory/fact-reader.ts";
import { decisiveFor, heldAt, predecessorsOf, validityOf } from "../memory/fact-validity.ts";
import type { Memory } from "../memory/memory.ts";
import { findMemoryRecords, type MemoryReader } from "../memory/records.ts";
import type { Asked } from "./ranking/asked.ts";
import type { Ranked } from "./ranking/fusion.ts";
import { answeringHit } from "./ranking/held-slots.ts";
import { readQuestion } from "./ranking/question.ts";
import { leadersFirst, restatementsAmong } from "./ranking/restated.ts";

/** Maximum number of hits whose facts are read. */
const MAX_JUDGED = 20;

/** The scope is the one of the search that found the hits. */
export interface CurrentFirstOptions<Hit> extends Pick<SearchScope, "filters" | "expired" | "signal"> {
  query: Query;
  /** All ranked hits, shown or not: a hit's successor may be one of them. */
  allHits: Hit[];
  /** The time whose valid facts are requested, in epoch milliseconds. */
  asOf?: number | undefined;
  /** The slots that the query asks for, if its vector says it: a memory that states one may lead. */
  slots?: Asked | undefined;
  /** Leaves out memories that are no longer valid. */
  currentOnly?: boolean | undefined;
}

/** A hit, with the id of the memory that supersedes it. */
export type Judged<Hit> = Hit & { superseded_by?: string };

/**
 * Returns the hits of a search with each superseded memory right after its successor, which is taken from `allHits` or
 * from the index if it is not shown; unless the question is about the past. With `asOf`, leaves out memories that were
 * stated later and were not valid then. Judges the best MAX_JUDGED, by facts that the reader may see. Three round
 * trips, and one more if the search did not find a successor.
 */
export async function currentFirst<Hit extends Ranked>(
  ctx: MemoryReader,
  hits: Hit[],
  options: CurrentFirstOptions<Hit>,
): Promise<Judged<Hit>[]> {
  const { query, asOf, currentOnly = false } = options;
  await takeTurn(ctx.org);
  const facts = await factsOfHits(ctx, hits, options);
  const validity = validityOf(facts, asOf, query);
  const held = asOf === undefined ? undefined : heldAt(facts, asOf, query);
  const judged = hits
    .filter(({ id, document }) => asOf === undefined || occurredMs(document) <= asOf || held?.has(id))
    .map((hit): Judged<Hit> => {
      const { superseded, successors } = validity.get(hit.id) ?? {};
      const successor = superseded === "all" ? [...(successors ?? [])].at(-1) : undefined;
      return successor === undefined ? hit : { ...hit, superseded_by: successor };
    });
  const ordered = await orderByTime(ctx, judged, facts, options);
  return currentOnly ? ordered.filter(({ id }) => validity.get(id)?.superseded !== "all") : ordered;
}

/**
 * Returns the facts of the best hits' slots. What an agent may not see closes nothing for it, and a question about what
 * was before may name any value: then the memories of all facts are checked.
 */
async function factsOfHits<Hit extends Ranked>(
  ctx: MemoryReader,
  hits: Hit[],
  { query, asOf }: Pick<CurrentFirstOptions<Hit>, "query" | "asOf">,
): Promise<PlacedFact[]> {
  const ids = hits.slice(0, MAX_JUDGED).map(({ id }) => id);
  const records = ids.length === 0 ? [] : await findMemoryRecords(ctx, ids, { consistent: false });
  const memories = records.map((record) => fromItem<Memory>(record));
  if (ctx.viewer !== undefined || timeAsked(query, asOf) === "before") return factsOfMemories(ctx, memories);
  const now = ctx.clock();
  const hasExpired = ({ document: { expire_at } }: Hit) => expire_at !== undefined && Date.parse(expire_at) <= now;
  const behind = hits.slice(MAX_JUDGED).filter((hit) => !hasExpired(hit));
  const [shown, found] = [hits, behind].map((some) => new Set(some.map(({ id }) => id)));
  return factsOfFound(ctx, memories, {
    isFound: (id) => found?.has(id) === true,
    decisive: (facts) => decisiveFor(facts, (id) => shown?.has(id) === true, asOf),
  });
}

function timeAsked(query: Query, asOf: number | undefined): QuestionTime {
  return asOf === undefined ? questionTimeOf(query) : "now";
}

const NO_NAMES: ReadonlySet<string> = new Set();

/**
 * Moves what holds at the time that the question asks about before what it replaces: a value of the same slot, or a text
 * that says the same thing anew. The best hit follows one that states what is asked, if it does not itself.
 */
async function orderByTime<Hit extends Ranked>(
  ctx: MemoryReader,
  hits: Judged<Hit>[],
  facts: PlacedFact[],
  options: CurrentFirstOptions<Hit>,
): Promise<Judged<Hit>[]> {
  const { query, asOf, slots } = options;
  const time = timeAsked(query, asOf);
  const predecessors = time === "before" ? predecessorsOf(facts, query) : undefined;
  const restated = restatementsAmong(hits, query, time);
  const isOfNow = asOf === undefined && time !== "past" && time !== "before";
  const answering =
    slots && isOfNow ? answeringHit(hits, slots, readQuestion(query, NO_NAMES, ctx.clock()), facts) : undefined;
  const leaderOf = ({ id, superseded_by }: Judged<Hit>) => {
    if (time === "past") return restated.get(id);
    const leader = (predecessors === undefined ? superseded_by : predecessors.get(id)) ?? restated.get(id);
    return leader ?? (id === hits[0]?.id ? answering?.id : undefined);
  };
  return withLeaders(ctx, hits, leaderOf, options);
}

/** The scores of a memory that neither query found. */
const NOT_FOUND = { semanticScore: 0, keywordScore: 0 };

/** Minimum share of the best score of a hit whose leader is read if the search did not find it. */
const NEAR_SHARE = 0.6;
const MAX_NEAR = 8;

/**
 * Moves the leader of each hit directly before it. The search may not have found the leader of one of the best hits: it
 * may share no word with the query, and the vector of a new memory is computed after it is stored.
 */
async function withLeaders<Hit extends Ranked>(
  ctx: MemoryReader,
  hits: Judged<Hit>[],
  leaderOf: (hit: Judged<Hit>) => string | undefined,
  { allHits, ...scope }: CurrentFirstOptions<Hit>,
): Promise<Judged<Hit>[]> {
  const byId = new Map<string, Judged<Hit>>([...allHits, ...hits].map((hit) => [hit.id, hit]));
  const best = hits[0]?.score ?? 0;
  const near = hits.slice(0, MAX_NEAR).filter(({ score }) => score >= NEAR_SHARE * best);
  const missing = new Set(near.flatMap((hit) => leaderOf(hit) ?? []).filter((id) => !byId.has(id)));
  const documents = await readDocuments(ctx, [...missing], scope);
  return leadersFirst(hits, (hit) => {
    const id = leaderOf(hit);
    if (id === undefined) return undefined;
    const document = documents.get(id);
    return document ? { ...hit, ...NOT_FOUND, id, document, superseded_by: undefined } : byId.get(id);
  });
}

/** Returns the documents with these ids that the search could have found, by id. */
async function readDocuments(
  { ports, org, clock }: MemoryReader,
  ids: string[],
  { filters, expired, signal }: Pick<SearchScope, "filters" | "expired" | "signal">,
): Promise<Map<string, SearchSource>> {
  const wanted = filters?.ids === undefined ? ids : ids.filter((id) => filters.ids?.includes(id));
  if (wanted.length === 0) return new Map();
  const scope = { org, filters: { ...filters, ids: wanted }, expired, now: clock(), signal };
  const { documents } = await ports.search.browse({ ...scope, descending: true, offset: 0, limit: wanted.length });
  return new Map(documents.map((document) => [document.id, document]));
}
