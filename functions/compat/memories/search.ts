import type * as z from "zod";
import { chunkLocationOf } from "../../../shared/domain/memory/chunk-ids.ts";
import { findMemories } from "../../../shared/domain/memory/records.ts";
import { revealHits } from "../../../shared/domain/memory/reveal-secrets.ts";
import { currentFirst } from "../../../shared/domain/retrieval/current-first.ts";
import { normalizeWeights, retrieveHybrid } from "../../../shared/domain/retrieval/hybrid.ts";
import { plainWeights, type Ranked } from "../../../shared/domain/retrieval/ranking/fusion.ts";
import type { Retrieved } from "../../../shared/domain/retrieval/retrieve.ts";
import { runSearch } from "../../../shared/domain/retrieval/run-search.ts";
import { spread } from "../../../shared/domain/retrieval/spreading.ts";
import type { SearchFilters, SearchScope, SearchSource } from "../../../shared/ports/search-index.ts";
import type { Context } from "../../../shared/runtime/context.ts";
import { project, readNarrowing } from "./narrowing.ts";
import { toCompatMemory } from "./present.ts";
import type { CompatFound, CompatSearch } from "./schemas.ts";

type Given = z.output<typeof CompatSearch>;
type Found = z.input<typeof CompatFound>["results"][number];
/** A hit with its activation, if results are ordered by it. */
type Hit = Ranked & { activation?: number };

/** Default minimum score, as in mem0. */
const DEFAULT_THRESHOLD = 0.1;
/** Number of best results that are reranked. */
const RERANKED = 50;
/** Activation beyond the first hop says little about the results themselves. */
const ACTIVATION = { maxHops: 1, decayFactor: 0.85, threshold: 0, budget: 1 };
/** Maximum related memories per result. */
const MAX_RELATED = 5;
/** Limits of a result's entities for related memories, and of the memories per entity. */
const MAX_ENTITIES = 10;
const MAX_MEMBERS = 30;

/** The memories that a query finds by meaning and keywords, weighted by the deployment's settings. */
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
    const options = { query, allHits: ordered, filters, expired, signal };
    const best = (await currentFirst(ctx, ordered, options)).slice(0, limit);
    const shown = await revealHits(ctx, filters, best);
    const results = await renderHits(ctx, given, shown, scope);
    return { answer: { results, count: results.length, next: null, previous: null }, shown };
  });
}

/** The results in the order of the activation that they give each other. */
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

async function renderHits(ctx: Context, given: Given, hits: Hit[], scope: SearchScope): Promise<Found[]> {
  const { documents, summaries, related_memories, forgotten_memories } = given.include;
  const [sources, related] = await Promise.all([
    documents || summaries ? findSources(ctx, hits, summaries) : undefined,
    related_memories ? findRelated(ctx, hits, scope) : undefined,
  ]);
  return hits.map((hit) => {
    const { id, document, score, semanticScore, keywordScore, activation } = hit;
    const rendered = {
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
    return project(rendered, given.fields);
  });
}

function hasExpired({ expire_at }: SearchSource, now: number): boolean {
  return expire_at !== undefined && Date.parse(expire_at) <= now;
}

type Documents = NonNullable<Found["documents"]>;

/** The sources of results that are chunks, by result id; a source's description is in its own memory. */
async function findSources(ctx: Context, hits: Hit[], withSummary: boolean): Promise<Map<string, Documents>> {
  const chunks = hits.flatMap(({ id, document: { metadata } }) => {
    const source_id = chunkLocationOf(id)?.source_id ?? (id.startsWith("src_") ? id : undefined);
    return source_id === undefined ? [] : [{ id, source_id, metadata }];
  });
  const sourceIds = withSummary ? [...new Set(chunks.map(({ source_id }) => source_id))] : [];
  const memories = sourceIds.length === 0 ? [] : await findMemories(ctx, sourceIds);
  const summaries = new Map(memories.map(({ id, content }) => [id, content]));
  return new Map(
    chunks.map(({ id, source_id, metadata: { title, url } }) => {
      const summary = summaries.get(source_id);
      const labels = { ...(typeof title === "string" && { title }), ...(typeof url === "string" && { url }) };
      return [id, [{ id: source_id, ...labels, ...(summary !== undefined && { summary }) }]];
    }),
  );
}

/**
 * Memories stored right before and after each result, and those that mention the same entities, by the result's id. One
 * round trip for all results.
 */
async function findRelated(ctx: Context, hits: Hit[], scope: SearchScope): Promise<Map<string, SearchSource[]>> {
  if (hits.length === 0) return new Map();
  const entitiesOf = ({ document }: Hit) => document.entity_ids.slice(0, MAX_ENTITIES);
  const { filters: _ignored, ...everything } = scope;
  const { documents, inTime, members } = await ctx.ports.search.neighbours({
    ...everything,
    filters: onlySameUsers(hits),
    documents: hits.map(({ document }) => document),
    reach: 1,
    entities: [...new Set(hits.flatMap(entitiesOf))],
    maxMembers: MAX_MEMBERS,
  });
  const byId = new Map(documents.map((document) => [document.id, document]));
  return new Map(
    hits.map((hit) => {
      const named = entitiesOf(hit).flatMap((entity) => members.get(entity) ?? []);
      const ids = new Set([...named, ...(inTime.get(hit.id) ?? [])]);
      ids.delete(hit.id);
      const related = [...ids].flatMap((id) => byId.get(id) ?? []);
      const ofSameUser = related.filter(({ user_id }) => user_id === hit.document.user_id);
      return [hit.id, ofSameUser.slice(0, MAX_RELATED)];
    }),
  );
}

/** Memories of one user are never related to another's. */
function onlySameUsers(hits: Hit[]): SearchFilters {
  const users = hits.flatMap(({ document }) => document.user_id ?? []);
  return users.length === hits.length ? { user_id: [...new Set(users)] } : {};
}
