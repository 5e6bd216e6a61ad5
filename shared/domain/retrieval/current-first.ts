import { DAY_MS } from "../../kernel/durations.ts";
import { occurredMs } from "../../kernel/event-time.ts";
import { analyse, countShared, spaced, wordSet, words } from "../../kernel/text/text.ts";
import { fromItem } from "../../ports/item.ts";
import type { SearchScope, SearchSource } from "../../ports/ports.ts";
import { factsOfMemories, type PlacedFact } from "../memory/fact-reader.ts";
import { heldAt, predecessorsOf, validityOf } from "../memory/fact-validity.ts";
import type { Memory } from "../memory/memory.ts";
import { isPolar, questionTimeOf } from "../memory/questions/question-time.ts";
import { timePhraseOf } from "../memory/questions/time-phrase.ts";
import { findMemoryRecords, type MemoryReader } from "../memory/records.ts";
import { asksAssistant, speakerOf } from "./ranking/features.ts";
import type { Ranked } from "./ranking/fusion.ts";

/** Maximum number of hits whose facts are read. */
const MAX_JUDGED = 20;

/** The scope is the one of the search that found the hits. */
export interface CurrentFirstOptions<Hit> extends Pick<SearchScope, "filters" | "expired" | "signal"> {
  query: string;
  /** All ranked hits, shown or not: a hit's successor may be one of them. */
  allHits: Hit[];
  /** The time whose valid facts are requested, in epoch milliseconds. */
  asOf?: number | undefined;
  /** Leaves out memories that are no longer valid. */
  currentOnly?: boolean | undefined;
  /** False if the hits are in another order than by score. */
  reorders?: boolean;
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
  const { query, asOf, currentOnly = false, reorders = true } = options;
  const facts = await factsOfHits(ctx, hits.slice(0, MAX_JUDGED));
  const validity = validityOf(facts, asOf, query);
  const held = asOf === undefined ? undefined : heldAt(facts, asOf, query);
  const judged = hits
    .filter(({ id, document }) => asOf === undefined || occurredMs(document) <= asOf || held?.has(id))
    .map((hit): Judged<Hit> => {
      const { superseded, successors } = validity.get(hit.id) ?? {};
      const successor = superseded === "all" ? [...(successors ?? [])].at(-1) : undefined;
      return successor === undefined ? hit : { ...hit, superseded_by: successor };
    });
  const ordered = reorders ? await orderByTime(ctx, judged, facts, options) : judged;
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

/** Moves hits that are valid at the time the question asks about ahead of hits that are valid at another time. */
async function orderByTime<Hit extends Ranked>(
  ctx: MemoryReader,
  hits: Judged<Hit>[],
  facts: PlacedFact[],
  options: CurrentFirstOptions<Hit>,
): Promise<Judged<Hit>[]> {
  const { query, asOf } = options;
  if (asksAssistant(query)) return moveFirst(hits, ({ document }) => speakerOf(document) === "assistant");
  const time = asOf === undefined ? questionTimeOf(query) : "now";
  if (time === "past") return latestOfTopic(hits, corrects);
  if (time === "before") {
    const predecessors = predecessorsOf(facts, query);
    if (predecessors.size === 0) return eventLast(hits, query);
    return withLeaders(ctx, hits, ({ id }) => predecessors.get(id), options);
  }
  const successorOf = ({ superseded_by }: Judged<Hit>) => superseded_by;
  if (time === "now") return withLeaders(ctx, latestOfEqual(hits), successorOf, options);
  const latestFirst = latestOfTopic(hits);
  return withLeaders(ctx, isPolar(query) ? moveFirst(latestFirst, denies) : latestFirst, successorOf, options);
}

/** Maximum hits that count as about as good as the best one, and the share of its score that they need. */
const MAX_EQUAL = 8;
const EQUAL_SHARE = 0.85;
/** The same share where the words of a question match other texts much better than its answer. */
const NEAR_SHARE = 0.6;
/** Minimum cosine of the sets of terms of two statements about the same topic. */
const MIN_TOPIC_COSINE = 0.15;
/** Maximum number of characters compared per hit. */
const COMPARED_LENGTH = 1000;

/** Orders the hits that are about as good as the best one by day, latest first. The rest keeps its order. */
function latestOfEqual<Hit extends Ranked>(hits: Judged<Hit>[]): Judged<Hit>[] {
  const equal = equalToBest(hits);
  return replaceFirst(
    equal.toSorted((one, other) => dayOf(other) - dayOf(one)),
    hits,
  );
}

/** Phrases of a text that says that an earlier one was wrong, in English, German, French and Spanish. */
const CORRECTIONS = [
  ...["correction", "actually", "turns out", "i was wrong", "i misspoke", "my mistake"],
  ...["korrektur", "ich habe mich geirrt", "stimmt nicht", "en fait", "je me suis trompé", "je me suis trompée"],
  ...["corrección", "en realidad", "me equivoqué"],
].map(spaced);

function corrects({ document }: Ranked): boolean {
  const text = spaced(document.content.slice(0, COMPARED_LENGTH));
  return CORRECTIONS.some((phrase) => text.includes(phrase));
}

/**
 * Moves each of these hits before the first older one on the same topic, judged by the cosine of their terms. `isLeading`
 * restricts which hits move.
 */
function latestOfTopic<Hit extends Ranked>(
  hits: Judged<Hit>[],
  isLeading: (hit: Hit) => boolean = () => true,
): Judged<Hit>[] {
  const equal = equalToBest(hits).map((hit) => ({ hit, terms: termsOf(hit) }));
  const ordered: typeof equal = [];
  for (const each of equal) {
    const older = ordered.findIndex(
      ({ hit, terms }) => dayOf(hit) < dayOf(each.hit) && cosineOf(terms, each.terms) >= MIN_TOPIC_COSINE,
    );
    ordered.splice(older === -1 || !isLeading(each.hit) ? ordered.length : older, 0, each);
  }
  return replaceFirst(
    ordered.map(({ hit }) => hit),
    hits,
  );
}

/** Words by which a text denies or cancels something, in English, German, French and Spanish. */
const DENIALS =
  wordSet(`no not never off dead cancelled canceled withdrew isn't aren't wasn't weren't don't doesn't didn't
  won't can't couldn't wouldn't nein nicht kein keine keinen nie storniert abgesagt ne pas jamais annulé nunca tampoco
  cancelado cancelada`);

function denies({ document }: Ranked): boolean {
  return words(document.content.slice(0, COMPARED_LENGTH)).some(({ folded }) => DENIALS.has(folded));
}

/** Moves these hits ahead of the others that are nearly as good. */
function moveFirst<Hit extends Ranked>(hits: Judged<Hit>[], isFirst: (hit: Hit) => boolean): Judged<Hit>[] {
  return replaceFirst(
    equalToBest(hits, NEAR_SHARE).toSorted((one, other) => Number(isFirst(other)) - Number(isFirst(one))),
    hits,
  );
}

/** Moves hits about the event that a question names after "before" to the end of the hits that are about as good. */
function eventLast<Hit extends Ranked>(hits: Judged<Hit>[], query: string): Judged<Hit>[] {
  const phrase = timePhraseOf(query);
  if (phrase?.side !== "before") return hits;
  const named = new Set(phrase.words.flatMap(({ folded }) => analyse(folded)));
  const equal = equalToBest(hits, NEAR_SHARE).map((hit) => ({ hit, shared: countShared(named, termsOf(hit)) }));
  const max = Math.max(named.size / 2, ...equal.map(({ shared }) => shared));
  return replaceFirst(
    equal.toSorted((one, other) => Number(one.shared === max) - Number(other.shared === max)).map(({ hit }) => hit),
    hits,
  );
}

/** Returns the cosine of two sets: the shared terms by the geometric mean of both sizes; 0 if one is empty. */
function cosineOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return countShared(one, other) / Math.max(1, Math.sqrt(one.size * other.size));
}

function termsOf({ document }: Ranked): Set<string> {
  return new Set(analyse(document.content.slice(0, COMPARED_LENGTH)));
}

function equalToBest<Hit extends Ranked>(hits: Judged<Hit>[], share = EQUAL_SHARE): Judged<Hit>[] {
  const best = hits[0]?.score ?? 0;
  return hits.slice(0, MAX_EQUAL).filter(({ score }) => score >= share * best);
}

/** Replaces the first hits by the given order, with the scores of their positions. */
function replaceFirst<Hit extends Ranked>(first: Judged<Hit>[], hits: Judged<Hit>[]): Judged<Hit>[] {
  const reordered = first.map((hit, index) => ({ ...hit, score: hits[index]?.score ?? hit.score }));
  return [...reordered, ...hits.slice(first.length)];
}

function dayOf({ document }: Ranked): number {
  return Math.floor(occurredMs(document) / DAY_MS);
}

/** The scores of a memory that neither query found. */
const NOT_FOUND = { semanticScore: 0, keywordScore: 0 };

/**
 * Inserts the leader of each hit directly before it, with the hit's score. The search may not have found the leader of
 * one of the best hits: it may share no word with the query, and the vector of a new memory is computed after it is
 * stored.
 */
async function withLeaders<Hit extends Ranked>(
  ctx: MemoryReader,
  hits: Judged<Hit>[],
  leaderOf: (hit: Judged<Hit>) => string | undefined,
  { allHits, ...scope }: CurrentFirstOptions<Hit>,
): Promise<Judged<Hit>[]> {
  const byId = new Map<string, Judged<Hit>>([...allHits, ...hits].map((hit) => [hit.id, hit]));
  const leaders = new Set(equalToBest(hits, NEAR_SHARE).flatMap((hit) => leaderOf(hit) ?? []));
  const missing = [...leaders].filter((id) => !byId.has(id));
  const documents = await readDocuments(ctx, missing, scope);
  const ordered = new Map<string, Judged<Hit>>();
  const add = (hit: Judged<Hit>, score: number) => {
    if (ordered.has(hit.id)) return;
    ordered.set(hit.id, { ...hit, score });
  };
  for (const hit of hits) {
    const id = leaderOf(hit) ?? "";
    const document = documents.get(id);
    const leader = document ? { ...hit, ...NOT_FOUND, id, document, superseded_by: undefined } : byId.get(id);
    if (leader !== undefined) add(leader, hit.score);
    add(hit, hit.score);
  }
  return [...ordered.values()];
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
