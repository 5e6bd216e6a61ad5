import type { PageRequest } from "../../kernel/pagination.ts";
import { inParallel } from "../../kernel/parallel.ts";
import { fromItem } from "../../ports/item.ts";
import { COUNT_CEILING, listObjects } from "../../ports/listing.ts";
import { queryPages } from "../../ports/pages.ts";
import type { RecordQuery, StoredRecord } from "../../ports/record-store.ts";
import { entitiesOf, entityKey, memoriesOfEntity } from "./entity-records.ts";
import type { Entity, Memory } from "./memory.ts";
import { memoryKey } from "./memory-keys.ts";
import { isReadable, type MemoryReader } from "./records.ts";

const PAGE_SIZE = 100;
const CONCURRENCY = 8;
/** Maximum candidates from the search index for an entity; the index lags behind the records only briefly. */
const MAX_CANDIDATES = 10;

/**
 * Returns an entity by its own record or by a memory that mentions it. A viewer sees the entities that it created and
 * those that visible memories mention.
 */
export async function findEntity(reader: MemoryReader, id: string): Promise<Entity | undefined> {
  const { ports, org, viewer } = reader;
  const record = await ports.records.get(entityKey(org, id, viewer));
  if (viewer !== undefined) {
    const [visible] = record ? await visibleAmong(reader, [record]) : [];
    return visible && fromItem<Entity>(visible);
  }
  if (record) return fromItem<Entity>(record);
  const { items } = await ports.records.query({ index: "gsi1", pk: memoriesOfEntity(org, id), limit: 1 });
  const [edge] = items.map(fromItem<Entity>);
  return edge && { id, name: edge.name, type: edge.type };
}

/** Returns one page of visible entities by name; `prefix` is not case-sensitive. */
export async function listEntities(
  reader: MemoryReader,
  filter: { prefix?: string; type?: string },
  page: PageRequest,
): Promise<{ entities: Entity[]; total: number; hasNext: boolean }> {
  const { ports, org, viewer } = reader;
  const query: RecordQuery = {
    index: "gsi1",
    pk: entitiesOf(org, viewer),
    sk: filter.prefix === undefined ? undefined : { beginsWith: filter.prefix.toLowerCase() },
    where: filter.type === undefined ? undefined : { type: filter.type },
    limit: page.limit,
  };
  if (viewer === undefined) {
    const { items: entities, ...rest } = await listObjects<Entity>(ports.records, query, page);
    return { entities, ...rest };
  }
  const visible: StoredRecord[] = [];
  for await (const items of queryPages(ports.records, { ...query, limit: PAGE_SIZE })) {
    visible.push(...(await visibleAmong(reader, items)));
    if (visible.length >= COUNT_CEILING) break;
  }
  const end = page.offset + page.limit;
  const entities = visible.slice(page.offset, end).map(fromItem<Entity>);
  return { entities, total: visible.length, hasNext: visible.length > end };
}

/** Returns the number of visible memories that mention an entity, up to COUNT_CEILING. */
export function countMentions({ ports, org, viewer, clock }: MemoryReader, entity: string): Promise<number> {
  if (viewer !== undefined) return ports.search.count({ org, filters: { entity_ids: [entity] }, now: clock() });
  return ports.records.count({ index: "gsi1", pk: memoriesOfEntity(org, entity) }, COUNT_CEILING);
}

/**
 * Returns the viewer's entity records that are still visible, because shares may have ended. The memory that a record
 * names decides most of them, in one read; memories from the index decide the others.
 */
async function visibleAmong(reader: MemoryReader, entities: StoredRecord[]): Promise<StoredRecord[]> {
  const named = entities.flatMap(({ memory_id }) => (memory_id === undefined ? [] : [String(memory_id)]));
  const seen = await visibleMemories(reader, [...new Set(named)]);
  const isVisible = async ({ id, is_kept, memory_id }: StoredRecord) => {
    if (is_kept === true) return true;
    const known = seen.find((memory) => memory.id === memory_id);
    return known !== undefined && mentions(known, String(id)) ? true : isMentionedNow(reader, String(id));
  };
  const visible = await inParallel(entities, CONCURRENCY, isVisible);
  return entities.filter((_, index) => visible[index]);
}

async function isMentionedNow(reader: MemoryReader, entity: string): Promise<boolean> {
  const { ports, org, viewer, clock } = reader;
  const scope = { org, viewer, filters: { entity_ids: [entity] }, now: clock() };
  const { documents } = await ports.search.browse({ ...scope, descending: true, offset: 0, limit: MAX_CANDIDATES });
  const ids = documents.map(({ id }) => id);
  return (await visibleMemories(reader, ids)).some((memory) => mentions(memory, entity));
}

function mentions({ entities }: Memory, entity: string): boolean {
  return entities.some(({ id }) => id === entity);
}

/** Returns the memories that the viewer may see, without contents. */
async function visibleMemories(reader: MemoryReader, ids: string[]): Promise<Memory[]> {
  const found = await reader.ports.records.getMany(ids.map((id) => memoryKey(reader.org, id)));
  return found.filter((record) => isReadable(reader, record)).map(fromItem<Memory>);
}
