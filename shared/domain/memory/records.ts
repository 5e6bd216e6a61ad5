import type { PageRequest, SortOrder } from "../../kernel/pagination.ts";
import { unexpired } from "../../ports/conditions.ts";
import { fromItem, toItem } from "../../ports/item.ts";
import { AFTER_ANY_ID, COUNT_CEILING, type RecordListing, readPage } from "../../ports/listing.ts";
import { queryPages } from "../../ports/pages.ts";
import type {
  AttributeTests,
  Json,
  RecordKey,
  RecordQuery,
  RecordStore,
  StoredRecord,
  Write,
} from "../../ports/ports.ts";
import type { Context, MemoryScope } from "../../runtime/context.ts";
import { isChunk } from "./chunk-ids.ts";
import { readView, sourcesOf, visibleChunks } from "./chunk-visibility.ts";
import { releaseClaim, renewClaim } from "./claims.ts";
import { ContentMissingError, loadContent, type StoredContent } from "./content.ts";
import { changeFacts } from "./facts/records.ts";
import type { Entity, EntityReference, Feedback, Memory, MemoryVersion } from "./memory.ts";
import { putViewer, seenBy } from "./viewers.ts";
import { type AccessLevel, accessLevelOf } from "./visibility.ts";

export const MEMORY_KIND = "memory";
export const ENTITY_KIND = "entity";
const MENTIONS_PAGE = 100;
const MEMORY_SORT_KEY = "memory";

/** A reader of memories: finds only those that its viewer may see. */
export type MemoryReader = Pick<MemoryScope, "ports" | "clock" | "org" | "viewer">;
/** The same with the record store only, so without blobs. */
export type RecordReader = Omit<MemoryReader, "ports"> & { ports: Pick<MemoryReader["ports"], "records"> };
type Stored<T extends { content: string }> = Omit<T, "content"> & StoredContent;
/** A memory as stored. `tokens` repeats the original tokens as a facet of the narrow index. */
export type StoredMemory = Stored<Memory> & { tokens: number };

export const memoryKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}`, sk: MEMORY_SORT_KEY });
export const versionKey = (org: string, id: string, version: number): RecordKey => ({
  pk: `${org}#${id}`,
  sk: `version#${String(version).padStart(9, "0")}`,
});
const edgeKey = (org: string, id: string, entity: string): RecordKey => ({ pk: `${org}#${id}`, sk: `edge#${entity}` });
const feedbackKey = (org: string, id: string, feedback: string): RecordKey => ({
  pk: `${org}#${id}`,
  sk: `feedback#${feedback}`,
});
/** With a viewer, the viewer's copy of the entity. */
export const entityKey = (org: string, id: string, viewer?: string): RecordKey => ({
  pk: `${org}#${id}`,
  sk: viewer === undefined ? "entity" : `entity#${viewer}`,
});
export const memoriesOf = (org: string): string => `${org}#memories`;
export const memoriesOfUser = (org: string, user: string): string => `${org}#memories#${user}`;
export const memoriesOfEntity = (org: string, entity: string): string => `${org}#${entity}#memories`;
export const entitiesOf = (org: string, viewer?: string): string =>
  viewer === undefined ? `${org}#entities` : `${org}#${viewer}#entities`;

// ---------------------------------------------------------------- the memory itself

function toMemoryItem({ content, content_missing, observed, ...memory }: Memory, stored: StoredContent): StoredRecord {
  const byCreation = `${memory.created_at}#${memory.id}`;
  return toItem(
    memoryKey(memory.org, memory.id),
    MEMORY_KIND,
    { ...memory, ...stored, tokens: memory.compression.original_tokens },
    {
      gsi1pk: memoriesOf(memory.org),
      gsi1sk: byCreation,
      gsi2pk: memory.user_id === undefined ? undefined : memoriesOfUser(memory.org, memory.user_id),
      gsi2sk: memory.user_id === undefined ? undefined : byCreation,
      gsi3pk: memoriesOf(memory.org),
      gsi3sk: `${memory.updated_at}#${memory.id}`,
      ttl: memory.expire_at === undefined ? undefined : Math.ceil(Date.parse(memory.expire_at) / 1000),
    },
  );
}

/**
 * The memory of a table record or a change with its content; undefined if the content was deleted with the memory. Lost
 * or damaged content is empty and marked by `content_missing`.
 */
export async function toMemory(owner: Pick<Context, "ports">, record: StoredRecord): Promise<Memory | undefined> {
  const stored = await withContent<Memory & { tokens: number }>(owner, record);
  if (stored === undefined) return undefined;
  const { tokens, ...memory } = stored;
  return memory;
}

/**
 * Undefined if the memory was deleted since the record was read. The blob key is dropped, because storing it again
 * would hide the next version's content.
 */
async function withContent<T extends { content: string; content_missing?: true }>(
  owner: Pick<Context, "ports">,
  record: StoredRecord,
): Promise<T | undefined> {
  const { content_blob, ...rest } = record;
  try {
    const content = await loadContent(owner, fromItem<StoredContent>(record));
    return fromItem<T>({ ...rest, content });
  } catch (error) {
    if (!(error instanceof ContentMissingError)) throw error;
    if (!(await owner.ports.records.get(memoryOf(record)))) return undefined;
    return fromItem<T>({ ...rest, content: "", content_missing: true });
  }
}

/** The key of a version's memory, or of the memory itself. */
function memoryOf({ pk }: StoredRecord): RecordKey {
  return { pk, sk: MEMORY_SORT_KEY };
}

/** Org, id and revision of a memory's record without its content. */
export function identifyMemory(record: StoredRecord): Pick<Memory, "org" | "id" | "revision"> {
  return fromItem<Memory>(record);
}

/** Whether the reader can see the memory: it has not expired, and the viewer has access. */
function isThere({ clock, viewer }: RecordReader, record: StoredRecord): boolean {
  const now = clock();
  const memory = fromItem<Memory>(record);
  const hasExpired = memory.expire_at !== undefined && Date.parse(memory.expire_at) <= now;
  return !hasExpired && accessLevelOf(memory, viewer, now) !== undefined;
}

/** Undefined alike for a missing, another organization's, an expired and an invisible id. */
export async function findMemory(ctx: MemoryReader, id: string): Promise<Memory | undefined> {
  if (isChunk(id)) return (await findMemories(ctx, [id]))[0];
  const record = await ctx.ports.records.get(memoryKey(ctx.org, id));
  return record && isThere(ctx, record) ? toMemory(ctx, record) : undefined;
}

/** The existing memories in the order of the ids. */
export async function findMemories(ctx: MemoryReader, ids: string[]): Promise<Memory[]> {
  return toMemories(ctx, await findMemoryRecords(ctx, ids));
}

/** The same without their contents. */
export async function findMemoryRecords(ctx: RecordReader, ids: string[]): Promise<StoredRecord[]> {
  const memories = ids.map((id) => memoryKey(ctx.org, id));
  const found = await ctx.ports.records.getMany([...memories, ...sourcesOf(ctx.org, ids)]);
  const isInView = visibleChunks(found.filter(({ kind }) => kind !== MEMORY_KIND));
  const there = found.filter((record) => record.kind === MEMORY_KIND && isThere(ctx, record));
  const live = new Map(there.map((each) => [each.pk, each]));
  return ids.filter(isInView).flatMap((id) => live.get(memoryKey(ctx.org, id).pk) ?? []);
}

async function toMemories(owner: Pick<Context, "ports">, records: StoredRecord[]): Promise<Memory[]> {
  const memories = await Promise.all(records.map((record) => toMemory(owner, record)));
  return memories.flatMap((memory) => memory ?? []);
}

/** An edge does not repeat the memory's event time, because nobody reads an entity's edges in that order. */
function putEdge(memory: Memory, entity: EntityReference): Write {
  const { id: entity_id, name, type, relationship_type = "mentions", strength = 1 } = entity;
  const edge = { org: memory.org, memory_id: memory.id, entity_id, name, type, relationship_type, strength };
  const reverse = { gsi1pk: memoriesOfEntity(memory.org, entity_id), gsi1sk: `${memory.created_at}#${memory.id}` };
  return { put: toItem(edgeKey(memory.org, memory.id, entity_id), "edge", edge, reverse) };
}

function putVersion(memory: Memory, stored: StoredContent, { changes, reason }: VersionNote): Write {
  const { version, metadata, occurred_at, updated_at: created_at } = memory;
  const item = { version, ...stored, metadata, occurred_at, created_at, changes, reason };
  return { put: toItem(versionKey(memory.org, memory.id, version), "version", item) };
}

/** The note of a new version: the changed fields and the reason. */
export type VersionNote = Pick<MemoryVersion, "changes" | "reason">;

/**
 * All writes of a new memory: itself, version 1, one edge per entity, its facts, and its agent's list entry if an agent
 * stored it.
 */
export function insertMemory(memory: Memory, stored: StoredContent): Write[] {
  const facts = changeFacts(undefined, memory);
  return [
    { put: toMemoryItem({ ...memory, observations: facts.references }, stored), condition: "absent" },
    putVersion(memory, stored, { changes: ["created"] }),
    ...memory.entities.map((entity) => putEdge(memory, entity)),
    ...facts.writes,
    ...(memory.agent_id === undefined ? [] : [putViewer(memory, { agent: memory.agent_id, reach: "own" })]),
  ];
}

/**
 * All writes that turn `before` into `after`; refused if the record changed since `before` was read. The viewers' lists
 * are updated afterwards, because updating all of them would not fit into one transaction.
 */
export function replaceMemory(before: Memory, after: Memory, stored: StoredContent, note?: VersionNote): Write[] {
  const isIn = (entities: EntityReference[]) => {
    const ids = new Set(entities.map(({ id }) => id));
    return ({ id }: EntityReference) => ids.has(id);
  };
  const gone = before.entities.filter((entity) => !isIn(after.entities)(entity));
  const changed = after.entities.filter((entity) => !before.entities.includes(entity));
  const facts = changeFacts(before, after);
  return [
    {
      put: toMemoryItem({ ...after, observations: facts.references }, stored),
      // The fact backfill does not increase the revision.
      condition: {
        revision: before.revision,
        ...(before.observations === undefined && { observations: { absent: true } }),
      },
    },
    ...(note ? [putVersion(after, stored, note)] : []),
    ...gone.map(({ id }): Write => ({ delete: edgeKey(before.org, before.id, id) })),
    ...changed.map((entity) => putEdge(after, entity)),
    ...facts.writes,
    ...changeClaim(before, after),
  ];
}

/** A claim exists as long as the memory keeps its content. */
function changeClaim(before: Memory, after: Memory): Write[] {
  if (!before.is_claimant) return [];
  if (!after.is_claimant) return [releaseClaim(before)];
  return before.expire_at === after.expire_at ? [] : [renewClaim(after)];
}

/**
 * Deletes the memory's record and its claim; the change feed triggers the deletion of everything else that belongs to
 * it.
 */
export function removeMemory(memory: Memory): Write[] {
  const { org, id, revision } = memory;
  return [
    { delete: memoryKey(org, id), condition: { revision } },
    ...(memory.is_claimant ? [releaseClaim(memory)] : []),
  ];
}

// ---------------------------------------------------------------- lists

export interface MemoryFilter {
  user_id?: string;
  category?: string;
  type?: string;
  /** ISO, inclusive. */
  created_after?: string;
  created_before?: string;
  /** Only memories that the viewer has this access level to; without a viewer there is no restriction. */
  reach?: AccessLevel;
}

export type MemorySortField = "created_at" | "updated_at";

function creationRange({ created_after, created_before }: MemoryFilter): RecordQuery["sk"] {
  if (created_after === undefined && created_before === undefined) return undefined;
  return { atLeast: created_after, atMost: created_before === undefined ? undefined : created_before + AFTER_ANY_ID };
}

function facetTests({ user_id, category, type }: MemoryFilter): AttributeTests {
  const named = { user_id, category, type };
  return Object.fromEntries(Object.entries(named).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Newest first by creation: the user's own index if a user is named, else the organization's; both hold whole items. */
function byCreation(org: string, filter: MemoryFilter, now: number) {
  const { user_id, ...rest } = filter;
  const where = { ...facetTests(rest), ...unexpired(now) };
  const sk = creationRange(filter);
  return user_id === undefined
    ? { index: "gsi1" as const, pk: memoriesOf(org), sk, where }
    : { index: "gsi2" as const, pk: memoriesOfUser(org, user_id), sk, where };
}

/** By update: the narrow index, which holds only facets and also counts cheaply. */
function byUpdate(org: string, filter: MemoryFilter, now: number) {
  const { created_after, created_before } = filter;
  const isDated = created_after !== undefined || created_before !== undefined;
  const created = isDated ? { created_at: { atLeast: created_after, atMost: created_before } } : undefined;
  return {
    index: "gsi3" as const,
    pk: memoriesOf(org),
    where: { ...facetTests(filter), ...created, ...unexpired(now) },
  };
}

export interface MemoryPage {
  memories: Memory[];
  total: number;
  hasNext: boolean;
}

/** The memories that a viewer may see: the viewer's own small records, in either order. */
function byVisibility(org: string, viewer: string, filter: MemoryFilter, order: MemorySortField, now: number) {
  const { created_after, created_before, reach } = filter;
  const isDated = created_after !== undefined || created_before !== undefined;
  const isRange = order === "created_at";
  const created = isDated && !isRange ? { created_at: { atLeast: created_after, atMost: created_before } } : undefined;
  const reached = reach === undefined ? undefined : { access_type: reach };
  return {
    ...seenBy(org, viewer, order),
    sk: isRange ? creationRange(filter) : undefined,
    where: { ...facetTests(filter), ...created, ...reached, ...unexpired(now) },
  };
}

/**
 * Returns one page of the memories that the reader may see. `total` stops at COUNT_CEILING and includes hidden chunks
 * of sources until they are deleted, which is soon; a page may then have fewer memories than requested.
 */
export async function listMemories(
  ctx: MemoryReader,
  filter: MemoryFilter,
  sort: SortOrder<MemorySortField>,
  page: PageRequest,
): Promise<MemoryPage> {
  const { items, total, hasNext } = await (ctx.viewer === undefined
    ? readList(ctx, filter, sort, page)
    : listVisible(ctx, ctx.viewer, filter, sort, page));
  return { memories: await toMemories(ctx, await inView(ctx, items)), total, hasNext };
}

/** A part of a list of memories that starts where another part ended. */
export interface MemoryPart {
  memories: Memory[];
  /** Where the next part starts; absent at the end. */
  cursor?: string;
}

/**
 * Returns the next matching memories, oldest first, with no limit on their total number. All parts of a list contain
 * each memory that existed the whole time exactly once. Before the end, a part may have fewer than `limit` (1..1000)
 * memories, or none.
 */
export async function listMemoriesAfter(
  ctx: MemoryReader & { viewer: undefined },
  filter: MemoryFilter,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<MemoryPart> {
  const query = byCreation(ctx.org, filter, ctx.clock());
  const { items, cursor } = await ctx.ports.records.query({ ...query, limit, ...(after !== undefined && { after }) });
  const memories = await toMemories(ctx, await inView(ctx, items));
  return cursor === undefined ? { memories } : { memories, cursor };
}

/**
 * Counts the matching memories that have not expired, up to COUNT_CEILING; includes hidden chunks of sources until they
 * are deleted.
 */
export function countMemories(ctx: MemoryReader & { viewer: undefined }, filter: MemoryFilter): Promise<number> {
  const { index, pk, sk, where } =
    filter.user_id === undefined
      ? { ...byUpdate(ctx.org, filter, ctx.clock()), sk: undefined }
      : byCreation(ctx.org, filter, ctx.clock());
  return ctx.ports.records.count({ index, pk, sk, where }, COUNT_CEILING);
}

async function inView(ctx: MemoryReader, items: StoredRecord[]): Promise<StoredRecord[]> {
  const there = items.filter((record) => isThere(ctx, record));
  const isInView = await readView(
    ctx.ports.records,
    ctx.org,
    there.map(({ id }) => String(id)),
  );
  return there.filter(({ id }) => isInView(String(id)));
}

async function readList(
  ctx: MemoryReader,
  filter: MemoryFilter,
  sort: SortOrder<MemorySortField>,
  page: PageRequest,
): Promise<RecordListing> {
  const { records } = ctx.ports;
  const full = byCreation(ctx.org, filter, ctx.clock());
  const narrow = byUpdate(ctx.org, filter, ctx.clock());
  const isByCreation = sort.field === "created_at";
  const listing = { ...(isByCreation ? full : narrow), descending: sort.descending };
  const found = await readPage(records, listing, page, filter.user_id === undefined ? narrow : full);
  return isByCreation ? found : { ...found, items: await wholeOf(records, found.items) };
}

async function listVisible(
  ctx: MemoryReader,
  viewer: string,
  filter: MemoryFilter,
  sort: SortOrder<MemorySortField>,
  page: PageRequest,
): Promise<RecordListing> {
  const seen = byVisibility(ctx.org, viewer, filter, sort.field, ctx.clock());
  const found = await readPage(ctx.ports.records, { ...seen, descending: sort.descending }, page);
  return { ...found, items: await wholeOf(ctx.ports.records, found.items) };
}

/** Returns the memories that records of other lists refer to, in the same order, without those deleted meanwhile. */
async function wholeOf(records: RecordStore, listed: StoredRecord[]): Promise<StoredRecord[]> {
  const whole = await records.getMany(listed.map(memoryOf));
  const byPartition = new Map(whole.map((record) => [record.pk, record]));
  return listed.flatMap(({ pk }) => byPartition.get(pk) ?? []);
}

/** Whether the actual number may be higher than a list's `total`. */
export function isCountCut(total: number): boolean {
  return total >= COUNT_CEILING;
}

// ---------------------------------------------------------------- what belongs to a memory

/** A page of the memory's versions, oldest first. */
export async function listVersions(
  ctx: MemoryReader,
  id: string,
  page: PageRequest,
): Promise<{ versions: MemoryVersion[]; total: number; hasNext: boolean }> {
  const { pk } = memoryKey(ctx.org, id);
  const { items, total, hasNext } = await readPage(ctx.ports.records, { pk, sk: { beginsWith: "version#" } }, page);
  const versions = await Promise.all(items.map((record) => toVersion(ctx, record)));
  return { versions: versions.flatMap((version) => version ?? []), total, hasNext };
}

export async function findVersion(ctx: MemoryReader, id: string, version: number): Promise<MemoryVersion | undefined> {
  const record = await ctx.ports.records.get(versionKey(ctx.org, id, version));
  return record && toVersion(ctx, record);
}

function toVersion(ctx: Pick<Context, "ports">, record: StoredRecord): Promise<MemoryVersion | undefined> {
  return withContent<MemoryVersion>(ctx, record);
}

/** Stores a rating and updates the memory's sums in one transaction. */
export function insertFeedback(org: string, feedback: Feedback): Write[] {
  return [
    {
      update: memoryKey(org, feedback.memory_id),
      add: { feedback_count: 1, feedback_sum: feedback.rating, revision: 1 },
      condition: "present",
    },
    { put: toItem(feedbackKey(org, feedback.memory_id, feedback.id), "feedback", feedback) },
  ];
}

/** Deletes a rating and updates the memory's sums in one transaction; refused if the rating was already deleted. */
export function removeFeedback(org: string, { id, memory_id, rating }: Feedback): Write[] {
  return [
    {
      update: memoryKey(org, memory_id),
      add: { feedback_count: -1, feedback_sum: -rating, revision: 1 },
      condition: "present",
    },
    { delete: feedbackKey(org, memory_id, id), condition: "present" },
  ];
}

export async function findFeedback(
  records: RecordStore,
  org: string,
  memory_id: string,
  id: string,
): Promise<Feedback | undefined> {
  const record = await records.get(feedbackKey(org, memory_id, id));
  return record && fromItem<Feedback>(record);
}

/** A page of a memory's ratings, oldest first. */
export async function listFeedback(
  records: RecordStore,
  org: string,
  memory_id: string,
  page: PageRequest,
): Promise<{ feedback: Feedback[]; total: number; hasNext: boolean }> {
  const { pk } = memoryKey(org, memory_id);
  const { items, total, hasNext } = await readPage(records, { pk, sk: { beginsWith: "feedback#" } }, page);
  return { feedback: items.map(fromItem<Feedback>), total, hasNext };
}

/** Returns the keys of all records that a deleted memory left behind, and the blobs that they reference. */
export async function listOrphans(
  records: RecordStore,
  org: string,
  id: string,
): Promise<{ keys: RecordKey[]; blobs: string[] }> {
  const keys: RecordKey[] = [];
  const blobs = new Set<string>();
  for await (const items of queryPages(records, { pk: memoryKey(org, id).pk, limit: 1000 })) {
    for (const { pk, sk, content_blob } of items) {
      keys.push({ pk, sk });
      if (typeof content_blob === "string") blobs.add(content_blob);
    }
  }
  return { keys, blobs: [...blobs] };
}

// ---------------------------------------------------------------- entities

/**
 * Stores an entity, or a viewer's copy of it; repeating it changes nothing. `mentioned_on` is the day of a memory that
 * mentions it. Without it the entity was stored explicitly and is kept; with it the entity may be deleted once no
 * memory mentions it.
 */
export function putEntity(org: string, entity: Entity, { viewer, mentioned_on, memory_id }: EntityNote = {}): Write {
  const { pk, sk, kind, ...set } = toItem(entityKey(org, entity.id, viewer), ENTITY_KIND, entity, {
    gsi1pk: entitiesOf(org, viewer),
    gsi1sk: `${entity.name.toLowerCase()}#${entity.id}`,
  });
  const note: { [attribute: string]: Json } =
    mentioned_on === undefined ? { is_kept: true } : { mentioned_on, ...(memory_id !== undefined && { memory_id }) };
  return { update: { pk, sk }, set: { kind, ...(set as Record<string, string>), org, ...note } };
}

/** The viewer of an entity's copy, if it is one, and the memory that mentions the entity, with its day (ISO date). */
export interface EntityNote {
  viewer?: string | undefined;
  mentioned_on?: string;
  memory_id?: string;
}

/** Whether a memory that passes the test mentions an entity. An edge of a deleted memory does not count. */
export async function isMentioned(
  records: RecordStore,
  org: string,
  entity: string,
  passes: (memory: StoredRecord) => boolean = () => true,
): Promise<boolean> {
  const edges: RecordQuery = { index: "gsi1", pk: memoriesOfEntity(org, entity), limit: MENTIONS_PAGE };
  for await (const items of queryPages(records, edges)) {
    const memories = await records.getMany(items.map(memoryOf));
    if (memories.some(passes)) return true;
  }
  return false;
}
