import { isDeepStrictEqual } from "node:util";
import { fromItem, toItem } from "../../ports/item.ts";
import { queryPages } from "../../ports/pages.ts";
import type { RecordKey, RecordStore, StoredRecord, Write } from "../../ports/record-store.ts";
import type { Context, MemoryScope } from "../../runtime/context.ts";
import { isChunk } from "./chunk-ids.ts";
import { sourcesOf, visibleChunks } from "./chunk-visibility.ts";
import { releaseClaim, renewClaim } from "./claims.ts";
import { type StoredContent, withContent } from "./content.ts";
import { edgeKey, putEdge } from "./entity-records.ts";
import { changeFacts, factsUnchanged } from "./facts/records.ts";
import type { Memory } from "./memory.ts";
import { MEMORY_KIND, memoriesOf, memoriesOfUser, memoryKey } from "./memory-keys.ts";
import { putVersion, type VersionNote } from "./version-records.ts";
import { putViewer } from "./viewers.ts";
import { accessLevelOf } from "./visibility.ts";

/** A reader of memories: finds only those that its viewer may see. */
export type MemoryReader = Pick<MemoryScope, "ports" | "clock" | "org" | "viewer">;
/** A `MemoryReader` with the record store only; it cannot load content from blobs. */
export type RecordReader = Omit<MemoryReader, "ports"> & { ports: Pick<MemoryReader["ports"], "records"> };
/** A memory as stored. `tokens` repeats `compression.original_tokens` as a facet of the narrow index (gsi3). */
export type StoredMemory = Omit<Memory, "content"> & StoredContent & { tokens: number };

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

/** Returns a record's memory. A lost content is marked by `content_missing`; undefined if the memory was deleted. */
export async function toMemory(owner: Pick<Context, "ports">, record: StoredRecord): Promise<Memory | undefined> {
  const stored = await withContent<Memory & { tokens: number }>(owner, record);
  if (stored === undefined) return undefined;
  const { tokens, ...memory } = stored;
  return memory;
}

/** Returns organization, id and revision of a memory's record without loading its content. */
export function identifyMemory(record: StoredRecord): Pick<Memory, "org" | "id" | "revision"> {
  return fromItem<Memory>(record);
}

/** Whether the reader can see the memory: it has not expired, and the viewer has access. */
export function isReadable({ clock, viewer }: RecordReader, record: StoredRecord): boolean {
  const now = clock();
  const memory = fromItem<Memory>(record);
  const hasExpired = memory.expire_at !== undefined && Date.parse(memory.expire_at) <= now;
  return !hasExpired && accessLevelOf(memory, viewer, now) !== undefined;
}

/** Returns a memory; undefined if it is missing, expired, not visible to the viewer, or of another organization. */
export async function findMemory(ctx: MemoryReader, id: string): Promise<Memory | undefined> {
  if (isChunk(id)) return (await findMemories(ctx, [id]))[0];
  const record = await ctx.ports.records.get(memoryKey(ctx.org, id));
  return record && isReadable(ctx, record) ? toMemory(ctx, record) : undefined;
}

/** Returns the visible memories in the order of the ids. */
export async function findMemories(ctx: MemoryReader, ids: string[]): Promise<Memory[]> {
  return toMemories(ctx, await findMemoryRecords(ctx, ids));
}

/**
 * Returns the records of the visible memories in the order of the ids, without loading contents; `options` are those of
 * `RecordStore.getMany`.
 */
export async function findMemoryRecords(
  ctx: RecordReader,
  ids: string[],
  options?: Parameters<RecordStore["getMany"]>[1],
): Promise<StoredRecord[]> {
  const memories = ids.map((id) => memoryKey(ctx.org, id));
  const found = await ctx.ports.records.getMany([...memories, ...sourcesOf(ctx.org, ids)], options);
  const isInView = visibleChunks(found.filter(({ kind }) => kind !== MEMORY_KIND));
  const readable = found.filter((record) => record.kind === MEMORY_KIND && isReadable(ctx, record));
  const recordsByKey = new Map(readable.map((record) => [record.pk, record]));
  return ids.filter(isInView).flatMap((id) => recordsByKey.get(memoryKey(ctx.org, id).pk) ?? []);
}

export async function toMemories(owner: Pick<Context, "ports">, records: StoredRecord[]): Promise<Memory[]> {
  const memories = await Promise.all(records.map((record) => toMemory(owner, record)));
  return memories.flatMap((memory) => memory ?? []);
}

/** Returns the writes of a new memory: record, version 1, edges, facts, and its entry in the storing agent's list. */
export function insertMemory(memory: Memory, stored: StoredContent): Write[] {
  const facts = changeFacts(undefined, memory);
  return [
    { put: toMemoryItem({ ...memory, observations: facts.references }, stored), condition: "absent" },
    putVersion(memory, stored, { changes: ["created"], changed_by: memory.created_by }),
    ...memory.entities.map((entity) => putEdge(memory, entity)),
    ...facts.writes,
    ...(memory.agent_id === undefined ? [] : [putViewer(memory, { agent: memory.agent_id, reach: "own" })]),
  ];
}

/**
 * Returns the writes that turn `before` into `after`; they fail if the record changed since `before` was read. The
 * viewers' lists are updated afterwards, because updating all of them would not fit into one transaction. Throws for a
 * changed provenance.
 */
export function replaceMemory(before: Memory, after: Memory, stored: StoredContent, note?: VersionNote): Write[] {
  if (!isDeepStrictEqual(before.provenance, after.provenance)) throw new Error("a memory keeps its provenance");
  const ids = new Set(after.entities.map(({ id }) => id));
  const removed = before.entities.filter(({ id }) => !ids.has(id));
  const changed = after.entities.filter((entity) => !before.entities.includes(entity));
  const facts = changeFacts(before, after);
  const put = toMemoryItem({ ...after, observations: facts.references }, stored);
  return [
    { put, condition: { revision: before.revision, ...factsUnchanged(before) } },
    ...(note ? [putVersion(after, stored, note)] : []),
    ...removed.map(({ id }): Write => ({ delete: edgeKey(before.org, before.id, id) })),
    ...changed.map((entity) => putEdge(after, entity)),
    ...facts.writes,
    ...changeClaim(before, after),
  ];
}

/** Returns the writes for a memory's claim, which exists as long as the memory keeps its content. */
function changeClaim(before: Memory, after: Memory): Write[] {
  if (!before.is_claimant) return [];
  if (!after.is_claimant) return [releaseClaim(before)];
  return before.expire_at === after.expire_at ? [] : [renewClaim(after)];
}

/** Returns the deletions of a memory's record and claim; the change feed then deletes everything else of the memory. */
export function removeMemory(memory: Memory): Write[] {
  const { org, id, revision } = memory;
  return [
    { delete: memoryKey(org, id), condition: { revision } },
    ...(memory.is_claimant ? [releaseClaim(memory)] : []),
  ];
}

/** Returns the keys of all records that remain of a deleted memory, and the blobs that they reference. */
export async function listOrphans(records: RecordStore, org: string, id: string) {
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
