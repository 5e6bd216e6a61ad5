import type * as z from "zod";
import { currentFirst } from "../../../shared/facts/current-first.ts";
import { findMemories } from "../../../shared/memory/records.ts";
import type { Context } from "../../../shared/platform/context.ts";
import type { SearchFilters, SearchScope, SearchSource } from "../../../shared/platform/ports.ts";
import { plainWeights, type Ranked } from "../../../shared/retrieval/fusion.ts";
import { normalizeWeights, retrieveHybrid } from "../../../shared/retrieval/hybrid.ts";
import type { Retrieved } from "../../../shared/retrieval/retrieve.ts";
import { runSearch } from "../../../shared/retrieval/run-search.ts";
import { spread } from "../../../shared/retrieval/spreading.ts";
import { chunkPlaceOf } from "../../../shared/sources/chunk-ids.ts";
import { project, readNarrowing } from "./narrowing.ts";
import { toCompatMemory } from "./present.ts";
import type { CompatFound, CompatSearch } from "./schemas.ts";

type Given = z.output<typeof CompatSearch>;
type Found = z.input<typeof CompatFound>["results"][number];
/** A hit and, where results are ordered by it, its activation. */
type Hit = Ranked & { activation?: number };

/** Least score of what is found, unless a request says another: that of mem0. */
const DEFAULT_THRESHOLD = 0.1;
/** How many of the best a reranking orders anew. */
const RERANKED = 50;
/** Activation beyond the first hop says little about what the search itself found. */
const ACTIVATION = { maxHops: 1, decayFactor: 0.85, threshold: 0, budget: 1 };
/** Related memories told of one result. */
const MOST_RELATED = 5;
/** Entities of one result by which related memories are looked for, and how many memories may name one. */
const MOST_ENTITIES = 10;
const MOST_MEMBERS = 30;

/** The memories that a query finds by meaning and words, each weighed as the deployment's settings say. */
export async function searchMemories(ctx: Context, given: Given): Promise<z.input<typeof CompatFound>> {
  const filters = readNarrowing(given);
  return runSearch(ctx, "hybrid", given.query, async ({ query, defaults, signal }) => {
    const limit = given.top_k ?? given.limit ?? defaults.limit;
    const expired = given.show_expired || given.include.forgotten_memories ? ("shown" as const) : undefined;
    const scope: SearchScope = { org: ctx.org, filters, now: ctx.clock(), signal, ...(expired && { expired }) };
    const found = await retrieveHybrid(ctx, {
      query,
      filters,
      ...(expired && { expired }),
      weights: normalizeWeights(defaults.semantic_weight, defaults.keyword_weight),
      now: given.now,
      threshold: given.threshold ?? DEFAULT_THRESHOLD,
      defaults,
      depth: given.rerank ? Math.max(limit, RERANKED) : limit,
      signal,
    });
    const ordered: Hit[] = given.rerank ? await rerank(ctx, found, scope) : found.ranked;
    const shown = (await currentFirst(ctx, ordered, { query, among: ordered })).slice(0, limit);
    const results = await tellOf(ctx, given, shown, scope);
    return { answer: { results, count: results.length, next: null, previous: null }, shown };
  });
}

/** What was found, in the order of the activation that it gives to each other. */
async function rerank(ctx: Context, { ranked }: Retrieved, scope: SearchScope): Promise<Hit[]> {
  const best = ranked.slice(0, RERANKED);
  const activated = await spread(ctx.ports.search, {
    ranked,
    weights: plainWeights(ctx.ports.embedder),
    scope,
    parameters: ACTIVATION,
  });
  const activations = new Map(activated.ranked.map(({ id, activationScore }) => [id, activationScore]));
  const withActivation = best.map((hit) => ({ ...hit, activation: activations.get(hit.id) ?? 0 }));
  return [...withActivation.sort((a, b) => b.activation - a.activation), ...ranked.slice(RERANKED)];
}

async function tellOf(ctx: Context, given: Given, hits: Hit[], scope: SearchScope): Promise<Found[]> {
  const { documents, summaries, related_memories, forgotten_memories } = given.include;
  const [sources, related] = await Promise.all([
    documents || summaries ? findSources(ctx, hits, summaries) : undefined,
    related_memories ? findRelated(ctx, hits, scope) : undefined,
  ]);
  return hits.map((hit) => {
    const { id, document, score, semanticScore, keywordScore, activation } = hit;
    const told = {
      ...toCompatMemory(document),
      score,
      score_breakdown: {
        semantic: semanticScore,
        keyword: keywordScore,
        ...(activation !== undefined && { activation }),
      },
      ...(forgotten_memories && { is_forgotten: hasExpired(document, scope.now) }),
      ...(sources && { documents: sources.get(id) ?? [] }),
      ...(related && { related_memories: (related.get(id) ?? []).map(toCompatMemory) }),
    };
    return project(told, given.fields);
  });
}

function hasExpired({ expire_at }: SearchSource, now: number): boolean {
  return expire_at !== undefined && Date.parse(expire_at) <= now;
}

type Documents = NonNullable<Found["documents"]>;

/** The sources that results are chunks of, by the results' ids; what a source is about is in its own memory. */
async function findSources(ctx: Context, hits: Hit[], withSummary: boolean): Promise<Map<string, Documents>> {
  const places = hits.flatMap(({ id, document: { metadata } }) => {
    const source_id = chunkPlaceOf(id)?.source_id ?? (id.startsWith("src_") ? id : undefined);
    return source_id === undefined ? [] : [{ id, source_id, metadata }];
  });
  const wanted = withSummary ? [...new Set(places.map(({ source_id }) => source_id))] : [];
  const memories = wanted.length === 0 ? [] : await findMemories(ctx, wanted);
  const summaries = new Map(memories.map(({ id, content }) => [id, content]));
  return new Map(
    places.map(({ id, source_id, metadata: { title, url } }) => {
      const summary = summaries.get(source_id);
      const named = { ...(typeof title === "string" && { title }), ...(typeof url === "string" && { url }) };
      return [id, [{ id: source_id, ...named, ...(summary !== undefined && { summary }) }]];
    }),
  );
}

/** What was remembered right before and after a result, and what names the same entities, in one round trip for all. */
async function findRelated(ctx: Context, hits: Hit[], scope: SearchScope): Promise<Map<string, SearchSource[]>> {
  if (hits.length === 0) return new Map();
  const entitiesOf = ({ document }: Hit) => document.entity_ids.slice(0, MOST_ENTITIES);
  const { filters: _ignored, ...everything } = scope;
  const { documents, inTime, members } = await ctx.ports.search.neighbours({
    ...everything,
    filters: onlySameUsers(hits),
    documents: hits.map(({ document }) => document),
    reach: 1,
    entities: [...new Set(hits.flatMap(entitiesOf))],
    mostMembers: MOST_MEMBERS,
  });
  const byId = new Map(documents.map((document) => [document.id, document]));
  return new Map(
    hits.map((hit) => {
      const named = entitiesOf(hit).flatMap((entity) => members.get(entity) ?? []);
      const ids = new Set([...named, ...(inTime.get(hit.id) ?? [])]);
      ids.delete(hit.id);
      const related = [...ids].flatMap((id) => byId.get(id) ?? []);
      const own = related.filter(({ user_id }) => user_id === hit.document.user_id);
      return [hit.id, own.slice(0, MOST_RELATED)];
    }),
  );
}

/** Nothing of one user is told as related to what is another's. */
function onlySameUsers(hits: Hit[]): SearchFilters {
  const users = hits.flatMap(({ document }) => document.user_id ?? []);
  return users.length === hits.length ? { user_id: [...new Set(users)] } : {};
}
