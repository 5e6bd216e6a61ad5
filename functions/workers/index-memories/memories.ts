import { LRUCache } from "lru-cache";
import { missingSubjects, putSubject, subjectsOf } from "../../../shared/domain/integration/compat/subjects.ts";
import { countNewEntities } from "../../../shared/domain/memory/entity-limit.ts";
import { isEntityKey, putEntity } from "../../../shared/domain/memory/entity-records.ts";
import { toDocuments } from "../../../shared/domain/memory/indexing.ts";
import type { Memory } from "../../../shared/domain/memory/memory.ts";
import { putPerson } from "../../../shared/domain/memory/people.ts";
import { requestReading } from "../../../shared/domain/memory/read-by-model.ts";
import { identifyMemory, listOrphans, toMemory } from "../../../shared/domain/memory/records.ts";
import { refreshViewers } from "../../../shared/domain/memory/viewers.ts";
import { viewersOf } from "../../../shared/domain/memory/visibility.ts";
import { isByUser } from "../../../shared/domain/memory/writer.ts";
import { requestPatterns, type UserOfOrg } from "../../../shared/domain/patterns/request.ts";
import { listSlots } from "../../../shared/domain/retrieval/profiles/user-slots.ts";
import { dateOf, timestamp } from "../../../shared/kernel/clock.ts";
import { inBatches } from "../../../shared/kernel/parallel.ts";
import type { ChangeConsumer, RecordChange } from "../../../shared/ports/changes.ts";
import { fromItem } from "../../../shared/ports/item.ts";
import type { RecordStore, Write } from "../../../shared/ports/record-store.ts";
import type { Runtime } from "../../../shared/runtime/context.ts";

const MAX_WRITES = 100;
const MAX_KNOWN = 50_000;
/** The fields of a memory that decide whether patterns rest on it. */
const PATTERN_FIELDS = ["content", "content_blob", "user_id", "expire_at"];

/**
 * Creates the consumer that updates the search index, the entity records and the remains of deleted memories. Repeated,
 * reordered or skipped changes lead to the same result: the highest revision wins.
 */
export function createMemoryIndexer(runtime: Runtime): ChangeConsumer {
  /**
   * Entities, people and slots that this process already stored; forgetting some only costs a repeated write. `maxSize`,
   * because `max` would allocate all entries at once.
   */
  const known = new LRUCache<string, true>({ maxSize: MAX_KNOWN, sizeCalculation: () => 1 });
  return async (changes) => {
    const latest = [...new Map(changes.filter(isRevised).map((change) => [change.key.pk, change])).values()];
    const live = latest.flatMap(({ after }) => (after ? [after] : []));
    const deleted = latest.flatMap(({ before, after }) => (before && !after ? [identifyMemory(before)] : []));
    // A late change of a deleted memory may name deleted content; its removal is a later change.
    const found = await Promise.all(live.map((record) => toMemory(runtime, record)));
    const memories = found.flatMap((memory) => (memory && !isLost(runtime, memory) ? memory : []));
    await storeNames(runtime, [...entityWrites(runtime, memories), ...slotWrites(runtime, changes)], known);
    await writeInParts(runtime.ports.records, await subjectWrites(runtime.ports.records, memories));
    await runtime.ports.search.upsert(await toDocuments(runtime, memories));
    await requestReading(runtime, memories);
    for (const memory of memories) await refreshViewers(runtime, memory);
    await runtime.ports.search.remove(deleted.map(({ org, id, revision }) => ({ org, id, version: revision + 1 })));
    for (const { org, id } of deleted) await removeRemains(runtime, org, id);
    await requestPatterns(runtime, memories.flatMap(userOf));
    await requestPatterns(runtime, latest.flatMap(formerUserOf), { isAfterDeletion: true });
  };
}

/** A memory with lost content keeps its document, from which the content can be restored. */
function isLost({ logger }: Runtime, { org, id, content_missing }: Memory): boolean {
  if (content_missing) logger.warn("CONTENT_LOST", { org, memory: id });
  return content_missing === true;
}

/** Returns the user whose patterns a memory may change; patterns are found in users' own words only. */
function userOf(memory: Memory): UserOfOrg[] {
  const { org, user_id } = memory;
  return user_id === undefined || !isByUser(memory) ? [] : [{ org, user_id }];
}

/** Returns the user whose patterns may rest on words that a change removed. */
function formerUserOf({ before, after }: RecordChange): UserOfOrg[] {
  if (before === undefined) return [];
  const isKept = after !== undefined && PATTERN_FIELDS.every((field) => after[field] === before[field]);
  return isKept ? [] : userOf(fromItem<Memory>(before));
}

/** A move between tiers changes nothing searchable, so it is not embedded again. */
function isRevised({ before, after }: RecordChange): boolean {
  return !before || !after || identifyMemory(before).revision !== identifyMemory(after).revision;
}

/** Stores the entities, people and slots that memories name, if this process has not stored them yet. */
async function storeNames(runtime: Runtime, named: [string, Write][], known: LRUCache<string, true>): Promise<void> {
  const unknown = [...new Map(named)].filter(([name]) => !known.has(name));
  const writes = unknown.map(([, write]) => write);
  await countEntities(runtime, writes);
  await writeInParts(runtime.ports.records, writes);
  for (const [name] of unknown) known.set(name, true);
}

/** Counts the entities that these writes store first. */
async function countEntities(runtime: Runtime, writes: Write[]): Promise<void> {
  const entities = writes.flatMap((write) => ("set" in write && isEntityKey(write.update) ? [write.set ?? {}] : []));
  for (const [org, own] of Map.groupBy(entities, (entity) => String(entity.org))) {
    await countNewEntities(
      runtime,
      org,
      own.map(({ id }) => String(id)),
    );
  }
}

/** Returns the writes that list the slots of users' facts, also of changes that change no revision. */
function slotWrites({ clock }: Runtime, changes: RecordChange[]): [string, Write][] {
  return changes.flatMap(({ after }) => {
    const { org, user_id, observations = [] } = after ? fromItem<Memory>(after) : { org: "", user_id: undefined };
    return user_id === undefined ? [] : [...listSlots(org, user_id, observations, timestamp(clock()))];
  });
}

/** Entity ids derive from name and type, so memories can name them before their records exist. */
function entityWrites({ clock }: Runtime, memories: Memory[]): Map<string, Write> {
  const writes = new Map<string, Write>();
  // Renewed each day, so that a cleanup does not delete what a process considers stored.
  const mentioned_on = dateOf(clock());
  for (const memory of memories) {
    const { org, user_id, agent_id, entities } = memory;
    const viewers = viewersOf(memory, clock()).map(({ agent }) => agent);
    for (const { id, name, type } of entities) {
      for (const viewer of [undefined, ...viewers]) {
        const write = putEntity(org, { id, name, type }, { viewer, mentioned_on, memory_id: memory.id });
        writes.set(JSON.stringify(["entity", mentioned_on, org, id, viewer]), write);
      }
      if (type !== "person" || user_id === undefined) continue;
      for (const agent of agent_id === undefined ? [undefined] : [undefined, agent_id]) {
        const write = putPerson(org, { user: user_id, agent }, name, mentioned_on);
        writes.set(JSON.stringify(["person", mentioned_on, org, id, user_id, agent]), write);
      }
    }
  }
  return writes;
}

/** Checks all subjects each time, because a removed subject exists again with its next memory. */
async function subjectWrites(records: RecordStore, memories: Memory[]): Promise<Write[]> {
  const byOrg = Map.groupBy(memories, ({ org }) => org);
  const writes = [...byOrg].map(async ([org, own]) => {
    const missing = await missingSubjects(records, org, own.flatMap(subjectsOf));
    return missing.map((subject) => putSubject(org, subject));
  });
  return (await Promise.all(writes)).flat();
}

async function removeRemains({ ports }: Runtime, org: string, id: string): Promise<void> {
  const { keys, blobs } = await listOrphans(ports.records, org, id);
  await Promise.all(blobs.map((key) => ports.blobs.delete(key)));
  await writeInParts(
    ports.records,
    keys.map((key): Write => ({ delete: key })),
  );
}

async function writeInParts(records: RecordStore, writes: Write[]): Promise<void> {
  for (const batch of inBatches(writes, MAX_WRITES)) await records.write(...batch);
}
