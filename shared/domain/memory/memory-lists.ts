import type { PageRequest, SortOrder } from "../../kernel/pagination.ts";
import { unexpired } from "../../ports/conditions.ts";
import { AFTER_ANY_ID, COUNT_CEILING, readPage } from "../../ports/listing.ts";
import { getInOrder } from "../../ports/pages.ts";
import type { AttributeTests, RecordQuery, StoredRecord } from "../../ports/record-store.ts";
import { readView } from "./chunk-visibility.ts";
import type { Memory } from "./memory.ts";
import { memoriesOf, memoriesOfUser, memoryOf } from "./memory-keys.ts";
import { isReadable, type MemoryReader, toMemories } from "./records.ts";
import { seenBy } from "./viewers.ts";
import type { AccessLevel } from "./visibility.ts";

export interface MemoryFilter {
  user_id?: string;
  category?: string;
  type?: string;
  /** ISO 8601, inclusive. */
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

function creationTest({ created_after: atLeast, created_before: atMost }: MemoryFilter): AttributeTests | undefined {
  return atLeast === undefined && atMost === undefined ? undefined : { created_at: { atLeast, atMost } };
}

/** Filters by equality; one that facetTests does not test is an error of types. */
type Facets = { [name in Exclude<keyof MemoryFilter, "created_after" | "created_before" | "reach">]-?: unknown };

function facetTests({ user_id, category, type }: MemoryFilter): AttributeTests {
  const facets = { user_id, category, type } satisfies Facets;
  return Object.fromEntries(
    Object.entries(facets).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** Query by creation time, in the user's index or else the organization's; both hold whole items. */
function byCreation(org: string, filter: MemoryFilter, now: number) {
  const { user_id, ...rest } = filter;
  const where = { ...facetTests(rest), ...unexpired(now) };
  const sk = creationRange(filter);
  return user_id === undefined
    ? { index: "gsi1" as const, pk: memoriesOf(org), sk, where }
    : { index: "gsi2" as const, pk: memoriesOfUser(org, user_id), sk, where };
}

/** Query by update time, in the narrow index, which holds only facets and also counts cheaply. */
function byUpdate(org: string, filter: MemoryFilter, now: number) {
  const where = { ...facetTests(filter), ...creationTest(filter), ...unexpired(now) };
  return { index: "gsi3" as const, pk: memoriesOf(org), where };
}

export interface MemoryPage {
  memories: Memory[];
  total: number;
  hasNext: boolean;
  /** Where the next page starts; absent on the last page, and in lists from the search index. */
  cursor?: string;
}

/** Query for the small records of the memories that a viewer may see, in either order. */
function byVisibility(org: string, viewer: string, filter: MemoryFilter, order: MemorySortField, now: number) {
  const isRange = order === "created_at";
  const created = isRange ? undefined : creationTest(filter);
  const reached = filter.reach === undefined ? undefined : { access_type: filter.reach };
  return {
    ...seenBy(org, viewer, order),
    sk: isRange ? creationRange(filter) : undefined,
    where: { ...facetTests(filter), ...created, ...reached, ...unexpired(now) },
  };
}

/**
 * Returns one page of the memories that the reader may see. `total` stops at COUNT_CEILING. Hidden chunks of sources
 * count until they are deleted, so that a page may have fewer memories than requested.
 */
export async function listMemories(
  ctx: MemoryReader,
  filter: MemoryFilter,
  { field, descending }: SortOrder<MemorySortField>,
  page: PageRequest,
): Promise<MemoryPage> {
  const { org, viewer, ports } = ctx;
  const now = ctx.clock();
  const [full, narrow] = [byCreation(org, filter, now), byUpdate(org, filter, now)];
  const visible = viewer === undefined ? undefined : byVisibility(org, viewer, filter, field, now);
  const isFull = visible === undefined && field === "created_at";
  const countOn = visible ?? (filter.user_id === undefined ? narrow : full);
  const query = { ...(visible ?? (isFull ? full : narrow)), descending };
  const { items, ...rest } = await readPage(ports.records, query, page, countOn);
  const records = isFull ? items : await getInOrder(ports.records, items.map(memoryOf));
  return { memories: await toMemories(ctx, await visibleRecords(ctx, records)), ...rest };
}

/** A part of a list of memories that starts where another part ended. */
export interface MemoryPart {
  memories: Memory[];
  /** Where the next part starts; absent at the end. */
  cursor?: string;
}

/**
 * Returns the next matching memories, oldest first. The parts of a list together contain each memory that existed all
 * the time exactly once. A part may have fewer than `limit` (1..1000) memories, or none.
 */
export async function listMemoriesAfter(
  ctx: MemoryReader & { viewer: undefined },
  filter: MemoryFilter,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<MemoryPart> {
  const query = byCreation(ctx.org, filter, ctx.clock());
  const { items, cursor } = await ctx.ports.records.query({ ...query, limit, ...(after !== undefined && { after }) });
  const memories = await toMemories(ctx, await visibleRecords(ctx, items));
  return cursor === undefined ? { memories } : { memories, cursor };
}

/** Counts the matching unexpired memories, up to COUNT_CEILING; includes hidden chunks until they are deleted. */
export function countMemories(ctx: MemoryReader & { viewer: undefined }, filter: MemoryFilter): Promise<number> {
  const queryFor = filter.user_id === undefined ? byUpdate : byCreation;
  const { index, pk, sk, where }: Omit<RecordQuery, "limit"> = queryFor(ctx.org, filter, ctx.clock());
  return ctx.ports.records.count({ index, pk, sk, where }, COUNT_CEILING);
}

async function visibleRecords(ctx: MemoryReader, items: StoredRecord[]): Promise<StoredRecord[]> {
  const existing = items.filter((record) => isReadable(ctx, record));
  const ids = existing.map(({ id }) => String(id));
  const isVisible = await readView(ctx.ports.records, ctx.org, ids);
  return existing.filter(({ id }) => isVisible(String(id)));
}

/** Whether the actual number may be higher than a list's `total`. */
export function isCountCut(total: number): boolean {
  return total >= COUNT_CEILING;
}
