import { toItem } from "../../ports/item.ts";
import type { Json } from "../../ports/json.ts";
import { queryPages } from "../../ports/pages.ts";
import type { RecordKey, RecordQuery, RecordStore, StoredRecord, Write } from "../../ports/record-store.ts";
import type { Entity, EntityReference, Memory } from "./memory.ts";
import { memoryKey, memoryOf } from "./memory-keys.ts";

export const ENTITY_KIND = "entity";
const MENTIONS_PAGE_SIZE = 100;

/** Returns the key of the edge from a memory to an entity. */
export function edgeKey(org: string, id: string, entity: string): RecordKey {
  return { ...memoryKey(org, id), sk: `edge#${entity}` };
}
/** Returns the key of an entity or, with a viewer, of the viewer's copy of it. */
export const entityKey = (org: string, id: string, viewer?: string): RecordKey => ({
  pk: `${org}#${id}`,
  sk: viewer === undefined ? "entity" : `entity#${viewer}`,
});
/** Whether a key is that of an entity itself, and not of a viewer's copy. */
export const isEntityKey = ({ sk }: RecordKey): boolean => sk === "entity";
export const memoriesOfEntity = (org: string, entity: string): string => `${org}#${entity}#memories`;
export const entitiesOf = (org: string, viewer?: string): string =>
  viewer === undefined ? `${org}#entities` : `${org}#${viewer}#entities`;

/** An edge does not repeat the memory's event time, because nobody reads an entity's edges in that order. */
export function putEdge(memory: Memory, entity: EntityReference): Write {
  const { id: entity_id, name, type, relationship_type = "mentions", strength = 1 } = entity;
  const edge = { org: memory.org, memory_id: memory.id, entity_id, name, type, relationship_type, strength };
  const reverse = { gsi1pk: memoriesOfEntity(memory.org, entity_id), gsi1sk: `${memory.created_at}#${memory.id}` };
  return { put: toItem(edgeKey(memory.org, memory.id, entity_id), "edge", edge, reverse) };
}

/**
 * Stores an entity, or a viewer's copy of it; repeating it changes nothing. An entity with `mentioned_on`, the day of a
 * memory that mentions it, may be deleted once no memory does. One without it was stored explicitly and is kept.
 */
export function putEntity(
  org: string,
  entity: Entity,
  { viewer, mentioned_on, memory_id }: { viewer?: string; mentioned_on?: string; memory_id?: string } = {},
): Write {
  const { pk, sk, kind, ...set } = toItem(entityKey(org, entity.id, viewer), ENTITY_KIND, entity, {
    gsi1pk: entitiesOf(org, viewer),
    gsi1sk: `${entity.name.toLowerCase()}#${entity.id}`,
  });
  const note: { [attribute: string]: Json } =
    mentioned_on === undefined ? { is_kept: true } : { mentioned_on, ...(memory_id !== undefined && { memory_id }) };
  return { update: { pk, sk }, set: { kind, ...(set as Record<string, string>), org, ...note } };
}

/** Yields the ids of the memories that mention an entity, newest first, page by page; some may be deleted. */
export async function* mentionPages(records: RecordStore, org: string, entity: string): AsyncGenerator<string[]> {
  const edges = { index: "gsi1", pk: memoriesOfEntity(org, entity), limit: MENTIONS_PAGE_SIZE } as const;
  for await (const items of queryPages(records, { ...edges, descending: true })) {
    yield items.map(({ memory_id }) => String(memory_id));
  }
}

/** Whether a memory that passes the test mentions an entity. An edge of a deleted memory does not count. */
export async function isMentioned(
  records: RecordStore,
  org: string,
  entity: string,
  passes: (memory: StoredRecord) => boolean = () => true,
): Promise<boolean> {
  const edges: RecordQuery = { index: "gsi1", pk: memoriesOfEntity(org, entity), limit: MENTIONS_PAGE_SIZE };
  for await (const items of queryPages(records, edges)) {
    const memories = await records.getMany(items.map(memoryOf));
    if (memories.some(passes)) return true;
  }
  return false;
}
