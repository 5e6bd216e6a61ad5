import { putSubject, subjectsOf } from "../../../shared/compat/subjects.ts";
import { BoundedSet } from "../../../shared/kernel/bounded.ts";
import { timestamp } from "../../../shared/kernel/clock.ts";
import { inBatches } from "../../../shared/kernel/parallel.ts";
import { toDocuments } from "../../../shared/memory/indexing.ts";
import type { Memory } from "../../../shared/memory/memory.ts";
import { putPerson } from "../../../shared/memory/people.ts";
import { identifyMemory, listRemains, putEntity, toMemory } from "../../../shared/memory/records.ts";
import { refreshViewers } from "../../../shared/memory/viewers.ts";
import { viewersOf } from "../../../shared/memory/visibility.ts";
import type { ChangeConsumer, RecordChange } from "../../../shared/platform/changes.ts";
import type { Home } from "../../../shared/platform/context.ts";
import type { RecordStore, Write } from "../../../shared/platform/ports.ts";

const MAX_WRITES = 100;
const MAX_KNOWN = 50_000;
const ISO_DATE_LENGTH = 10;

/**
 * Makes what brings the search index, the entity records and the remains of deleted memories in line with a batch of
 * changes. Repeating, reordering or skipping superseded changes leads to the same end: the highest revision stays.
 */
export function createMemoryIndexer(home: Home): ChangeConsumer {
  /** Entities and people stored already by this process; forgetting some only costs a repeated write. */
  const known = new BoundedSet<string>(MAX_KNOWN);
  return async (changes) => {
    const latest = [...new Map(changes.filter(isRevised).map((change) => [change.key.pk, change])).values()];
    const live = latest.flatMap(({ after }) => (after ? [after] : []));
    const gone = latest.flatMap(({ before, after }) => (before && !after ? [identifyMemory(before)] : []));
    // A late change of a deleted memory may name content that went with it; whose removal is told further on.
    const found = await Promise.all(live.map((record) => toMemory(home, record)));
    const memories = found.flatMap((memory) => (memory && !isLost(home, memory) ? memory : []));
    await storeEntities(home, memories, known);
    await storeSubjects(home, memories);
    await home.ports.search.upsert(await toDocuments(home, memories));
    for (const memory of memories) await refreshViewers(home.ports.records, memory, home.clock());
    await home.ports.search.remove(gone.map(({ org, id, revision }) => ({ org, id, version: revision + 1 })));
    for (const { org, id } of gone) await removeRemains(home, org, id);
  };
}

/** A memory whose content is lost keeps the document it has: its content is to be restored from that. */
function isLost({ logger }: Home, { org, id, content_missing }: Memory): boolean {
  if (content_missing) logger.warn("CONTENT_LOST", { org, memory: id });
  return content_missing === true;
}

/** A move between tiers changes nothing that is searched, so it costs no embedding. */
function isRevised({ before, after }: RecordChange): boolean {
  return !before || !after || identifyMemory(before).revision !== identifyMemory(after).revision;
}

/** Entity ids follow from name and type, so the memories could name them before their records exist. */
async function storeEntities({ ports, clock }: Home, memories: Memory[], known: BoundedSet<string>): Promise<void> {
  const writes = new Map<string, Write>();
  // Noted again each day, so that nothing is cleaned up that a process believes to be there.
  const mentioned_on = timestamp(clock()).slice(0, ISO_DATE_LENGTH);
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
  const unknown = [...writes].filter(([name]) => !known.has(name));
  await writeInParts(
    ports.records,
    unknown.map(([, write]) => write),
  );
  for (const [name] of unknown) known.add(name);
}

/** Each time anew: a subject that somebody removed is there again with its next memory. */
async function storeSubjects({ ports }: Home, memories: Memory[]): Promise<void> {
  const writes = new Map<string, Write>();
  for (const memory of memories) {
    for (const subject of subjectsOf(memory)) {
      writes.set(JSON.stringify([memory.org, subject.type, subject.name]), putSubject(memory.org, subject));
    }
  }
  await writeInParts(ports.records, [...writes.values()]);
}

async function removeRemains({ ports }: Home, org: string, id: string): Promise<void> {
  const { keys, blobs } = await listRemains(ports.records, org, id);
  await Promise.all(blobs.map((key) => ports.blobs.delete(key)));
  await writeInParts(
    ports.records,
    keys.map((key): Write => ({ delete: key })),
  );
}

async function writeInParts(records: RecordStore, writes: Write[]): Promise<void> {
  for (const batch of inBatches(writes, MAX_WRITES)) await records.write(...batch);
}
