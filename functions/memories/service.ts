import type * as z from "zod";
import { ownerOf, storeOwned } from "../../shared/domain/identity/owned-counts.ts";
import { countAccess } from "../../shared/domain/memory/access.ts";
import { waitForReading } from "../../shared/domain/memory/awaiting-reading.ts";
import { requireContent } from "../../shared/domain/memory/content.ts";
import { createMemory as storeMemory } from "../../shared/domain/memory/create.ts";
import { countMentions, findEntity, listEntities as readEntities } from "../../shared/domain/memory/entities.ts";
import { entityId } from "../../shared/domain/memory/entity-identity.ts";
import { ENTITIES } from "../../shared/domain/memory/entity-limit.ts";
import { putEntity } from "../../shared/domain/memory/entity-records.ts";
import { type EventFilter, listByEvent, toSearchFilters } from "../../shared/domain/memory/event-list.ts";
import {
  giveFeedback,
  listFeedback as readFeedback,
  undoFeedback as removeFeedback,
} from "../../shared/domain/memory/feedback.ts";
import { isLinked, withLink } from "../../shared/domain/memory/links.ts";
import { type Entity, type EntityReference, type Memory, VERSIONED } from "../../shared/domain/memory/memory.ts";
import { isCountCut } from "../../shared/domain/memory/memory-lists.ts";
import { findMemory } from "../../shared/domain/memory/records.ts";
import { revealMemory, revealTo } from "../../shared/domain/memory/reveal-secrets.ts";
import {
  amendMemory,
  deleteMemory,
  getMemory,
  type RevisionNote,
  reviseMemory,
} from "../../shared/domain/memory/revise.ts";
import { findVersion, listVersions as readVersions } from "../../shared/domain/memory/version-records.ts";
import { presentMemory } from "../../shared/domain/memory/wire.ts";
import { orUndefined } from "../../shared/domain/operations/health/checks.ts";
import { findLabelledNeighbours, suggestLabels } from "../../shared/domain/retrieval/suggesting.ts";
import { dateOf, timestamp } from "../../shared/kernel/clock.ts";
import { existing, invalid, notFound, ServiceError } from "../../shared/kernel/errors.ts";
import { eventTimeOf } from "../../shared/kernel/event-time.ts";
import { pick } from "../../shared/kernel/objects.ts";
import { type PageRequest, pagination, parseSort } from "../../shared/kernel/pagination.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";

const MAX_LINKS = 50;

export { deleteMemory, giveFeedback };

/** Throws MEMORY_NOT_FOUND. */
export async function listFeedback(ctx: Context, id: string, page: Input<typeof schemas.ListFeedback>) {
  await getMemory(ctx, id);
  const { feedback, total, hasNext } = await readFeedback(ctx.ports.records, ctx.org, id, page);
  return { memory_id: id, feedback, pagination: pagination(page, total, hasNext) };
}

export async function undoFeedback(ctx: Context, memory_id: string, feedback_id: string) {
  const { id } = await removeFeedback(ctx, memory_id, feedback_id);
  return { id, memory_id, undone_at: timestamp(ctx.clock()) };
}

/** Maximum milliseconds that a read waits for the search index. */
const INDEX_TIMEOUT_MS = 1_000;

/** Reads a memory for a client, which counts as use, with its state in the search index. */
export async function getMemoryForClient(ctx: Context, id: string): Promise<Memory & z.output<typeof schemas.Indexed>> {
  const { org, ports } = ctx;
  const found = orUndefined(ctx, "search", () => ports.search.searchableVersion({ org, id }), INDEX_TIMEOUT_MS);
  const [memory, version] = await Promise.all([getMemory(ctx, id), found]);
  countAccess(ctx, id);
  return { ...memory, index: { pending: version === undefined ? null : version < memory.revision } };
}

/** Reads a memory, with suggested labels if requested. */
export async function readMemory(ctx: Context, id: string, { suggest, user_id }: Input<typeof schemas.ReadMemory>) {
  const found = await getMemoryForClient(ctx, id);
  if (user_id !== undefined && found.user_id !== user_id) throw notFound("memory", id);
  const memory = revealMemory(user_id, found);
  if (suggest !== true) return memory;
  return { ...memory, suggested: suggestLabels(memory, await findLabelledNeighbours(ctx, memory)) };
}

function refusePast(ctx: Context, expireAt: string | null | undefined): void {
  if (typeof expireAt === "string" && Date.parse(expireAt) <= ctx.clock()) {
    throw invalid({
      field: "expire_at",
      problem: "must be in the future; to expire now use POST /memories/{id}/expire",
    });
  }
}

export async function createMemory(ctx: Context, draft: Input<typeof schemas.CreateMemory>): Promise<Memory> {
  refusePast(ctx, draft.expire_at);
  return storeMemory(ctx, { ...draft, door: "memories" });
}

/** Returns a stored memory with what the model read, if the client waits for that and nobody changed it meanwhile. */
export async function afterReading(
  ctx: Context,
  memory: Memory,
  { wait }: Input<typeof schemas.WaitForReading>,
): Promise<Memory> {
  if (wait !== true) return memory;
  await waitForReading(ctx, [memory.id]);
  const read = await findMemory(ctx, memory.id);
  if (read?.version !== memory.version) return memory;
  return memory.processing.status === "skipped" ? { ...read, processing: memory.processing } : read;
}

/** Stores a memory and returns what was extracted, always synchronously. */
export async function processMemory(
  ctx: Context,
  draft: Input<typeof schemas.CreateMemory>,
  query: Input<typeof schemas.WaitForReading>,
) {
  refusePast(ctx, draft.expire_at);
  const stored = await storeMemory(ctx, { ...draft, door: "memories" }, { now: true });
  const memory = await afterReading(ctx, stored, query);
  const { id, content, facts, entities, entities_left_out, compression, processing } = memory;
  return {
    memory: { id, content, processed_at: timestamp(ctx.clock()) },
    processing: {
      ...processing,
      facts_extracted: facts.length,
      entities_extracted: entities.length,
      entities_left_out,
      compression_applied: compression.compressed_tokens < compression.original_tokens,
      token_reduction: compression.reduction_percentage,
    },
  };
}

export async function updateMemory(
  ctx: Context,
  id: string,
  change: Input<typeof schemas.UpdateMemory>,
  ifMatch?: number,
): Promise<Memory> {
  refusePast(ctx, change.expire_at);
  return reviseMemory(ctx, id, change, { door: "memories" }, ifMatch);
}

export async function listMemories(ctx: Context, query: Input<typeof schemas.ListMemories>) {
  const { limit, offset, cursor, sort, ...filter } = query;
  const order = parseSort(sort, ["created_at", "occurred_at", "updated_at"]);
  const page = { limit, offset, cursor };
  const found = await listByEvent(ctx, filter, order, page);
  const total = isCountCut(found.total) ? await countIndexed(ctx, filter) : found.total;
  const now = ctx.clock();
  const memories = revealTo(filter.user_id, found.memories).map((memory) => presentMemory(memory, now));
  return { memories, pagination: pagination(page, total, found.hasNext, found.cursor) };
}

function countIndexed(ctx: Context, filter: EventFilter): Promise<number> {
  return ctx.ports.search.count({ org: ctx.org, filters: toSearchFilters(filter), now: ctx.clock() });
}

export async function readStats(ctx: Context) {
  const now = ctx.clock();
  const today = `${dateOf(now)}T00:00:00.000Z`;
  const scope = { org: ctx.org, now };
  const [all, processedToday] = await Promise.all([
    ctx.ports.search.aggregate(scope, ["category", "type", "user_id"]),
    ctx.ports.search.count({ ...scope, filters: { created_after: today } }),
  ]);
  const byValue = (terms: { value: string; count: number }[] = []) =>
    Object.fromEntries(terms.map(({ value, count }) => [value, count]));
  const { original_tokens, compressed_tokens, processing_ms } = all.sums;
  return {
    total_count: all.count,
    by_category: byValue(all.terms.category),
    by_type: byValue(all.terms.type),
    by_user: byValue(all.terms.user_id),
    compression_stats: {
      total_tokens_original: original_tokens,
      total_tokens_compressed: compressed_tokens,
      compression_ratio: original_tokens === 0 ? 1 : compressed_tokens / original_tokens,
    },
    processing_stats: {
      avg_processing_time_ms: all.count === 0 ? 0 : processing_ms / all.count,
      memories_processed_today: processedToday,
    },
  };
}

export async function listVersions(ctx: Context, id: string, page: PageRequest) {
  const { created_at } = await getMemory(ctx, id);
  const { versions, total, hasNext } = await readVersions(ctx, id, page);
  const now = ctx.clock();
  const shown = versions.map(({ occurred_at, ...version }) => {
    return { ...version, ...eventTimeOf({ occurred_at, created_at }, now) };
  });
  return { memory_id: id, versions: shown, pagination: pagination(page, total, hasNext) };
}

/** Creates a new version with the content, metadata and event time of an old one. */
export async function restoreMemory(
  ctx: Context,
  id: string,
  { version, reason }: Input<typeof schemas.RestoreMemory>,
  ifMatch?: number,
): Promise<Memory> {
  const old = await findVersion(ctx, id, version);
  if (!old) {
    await getMemory(ctx, id);
    throw new ServiceError("VERSION_NOT_FOUND", `The memory has no version ${version}.`, { memory_id: id, version });
  }
  requireContent({ id, content_missing: old.content_missing });
  const change = { ...pick(old, VERSIONED), occurred_at: old.occurred_at ?? null };
  const changes = [`restored from version ${version}`];
  const note: RevisionNote = { door: "memories", changes, reason, restores: true };
  return reviseMemory(ctx, id, change, note, ifMatch);
}

/** Sets when a memory expires; without a time, or with a past one, it expires at once. */
export async function expireMemory(
  ctx: Context,
  id: string,
  { expire_at, reason }: Input<typeof schemas.ExpireMemory>,
  ifMatch?: number,
) {
  const now = timestamp(ctx.clock());
  const expiresAt = expire_at === undefined || expire_at < now ? now : expire_at;
  const memory = await reviseMemory(ctx, id, { expire_at: expiresAt }, { door: "memories", reason }, ifMatch);
  return { id, expire_at: expiresAt, expired: expiresAt <= timestamp(ctx.clock()), reason, version: memory.version };
}

/** Links an entity of the organization; linking again changes the relation. */
export async function linkEntity(
  ctx: Context,
  { id, entityID }: { id: string; entityID: string },
  { relationship_type, strength }: Input<typeof schemas.LinkEntity>,
) {
  const entity = existing(await findEntity(ctx, entityID), "entity", entityID);
  const link: EntityReference = { ...entity, relationship_type, strength };
  const memory = await amendMemory(ctx, id, ({ entities }) => {
    if (entities.filter((known) => known.id !== entityID && isLinked(known)).length >= MAX_LINKS) {
      throw new ServiceError("CONFLICT", `A memory can have at most ${MAX_LINKS} links.`, { memory_id: id });
    }
    return { entities: withLink(entities, link), updated_at: timestamp(ctx.clock()) };
  });
  return { memory_id: id, entity_id: entityID, relationship_type, strength, created_at: memory.updated_at };
}

export async function listMemoryEntities(ctx: Context, id: string) {
  const { entities } = await getMemory(ctx, id);
  const whole = { limit: entities.length, offset: 0 };
  return { memory_id: id, entities, pagination: pagination(whole, entities.length, false) };
}

/**
 * Stores an entity explicitly, so that it is kept without memories; an existing one keeps its name and type. Throws
 * LIMIT_REACHED.
 */
export async function createEntity(ctx: Context, given: Input<typeof schemas.CreateEntity>): Promise<Entity> {
  const id = entityId(ctx.org, given.type, given.name);
  const known = await findEntity(ctx, id);
  const { name, type } = known ?? given;
  const entity = { id, name, type };
  const ofViewer = ctx.viewer === undefined ? [] : [putEntity(ctx.org, entity, { viewer: ctx.viewer })];
  const writes = [putEntity(ctx.org, entity), ...ofViewer];
  if (known) await ctx.ports.records.write(...writes);
  else await storeOwned(ctx, ENTITIES, ownerOf(ctx), writes);
  return entity;
}

export async function getEntity(ctx: Context, id: string) {
  const [entity, memory_count] = await Promise.all([findEntity(ctx, id), countMentions(ctx, id)]);
  return { ...existing(entity, "entity", id), memory_count };
}

export async function listEntities(ctx: Context, query: Input<typeof schemas.ListEntities>) {
  const { q, type, ...page } = query;
  const { entities, total, hasNext } = await readEntities(ctx, { prefix: q, type }, page);
  return { entities, pagination: pagination(page, total, hasNext) };
}
