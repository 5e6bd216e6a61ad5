import { dateOf } from "../../../kernel/clock.ts";
import { inBatches, inParallel } from "../../../kernel/parallel.ts";
import { tryWrite } from "../../../ports/conflicts.ts";
import { fromItem } from "../../../ports/item.ts";
import { identityOf } from "../../../ports/preconditions.ts";
import type { Condition, RecordKey, StoredRecord, Write } from "../../../ports/record-store.ts";
import type { Runtime } from "../../../runtime/context.ts";
import { each } from "../../../runtime/schemas/fields.ts";
import { forgetCount } from "../../identity/owned-counts.ts";
import { entityId } from "../../memory/entity-identity.ts";
import { ENTITIES } from "../../memory/entity-limit.ts";
import { ENTITY_KIND, isEntityKey, isMentioned } from "../../memory/entity-records.ts";
import { FACT_KIND } from "../../memory/facts/records.ts";
import type { Memory } from "../../memory/memory.ts";
import { MEMORY_KIND, memoryKey } from "../../memory/memory-keys.ts";
import { PERSON_KIND } from "../../memory/people.ts";
import { MESSAGE_KIND } from "../../sessions/message-records.ts";
import { cleanBlobs } from "./clean-blobs.ts";
import { findLagging, findOrphanDocuments, indexRecords } from "./drift.ts";
import { blobsNamedBy, findLostContent, findUnreadable, restoreContent } from "./lost-content.ts";
import type { CleanupPass, Tally } from "./pass.ts";
import type { CleanupOperation, CleanupOptions } from "./plan.ts";

const PAGE = 250;
const DOCUMENTS_PER_PAGE = 500;
const CONCURRENCY = 4;
const LOOKUP_CONCURRENCY = 8;
/** Maximum deletions per transaction, in addition to the check of their owner. */
const MAX_DELETIONS = 40;

/** Records that depend on another record of their collection, by that record's sort key. */
const OWNERS: { [kind: string]: { sk: string; operation: CleanupOperation } } = {
  ...each({ sk: "memory", operation: "orphaned_memories" }, "version", "edge", "fact", "feedback", "viewer"),
  ...each(
    { sk: "session", operation: "expired_sessions" },
    ...["message", "session_context", "session_state", "session_segment", "session_listing"],
  ),
};
/** Marks a content as a memory's, in its own collection. */
const CLAIM_KIND = "claim";
const BEFORE_DIGEST = "#content#";

/** Processes one page of dependent records: those without their owner, and memories without their blob or document. */
export const cleanRecords: CleanupPass = async (runtime, { options }, tally, after) => {
  const { items, cursor } = await runtime.ports.inventory.list({ kinds: kindsFor(options), limit: PAGE, after });
  const old = items.filter((record) => writtenAt(record) < options.before);
  const owners = await readOwners(runtime, old);
  await removeOrphans(runtime, options, old, owners, tally);
  if (options.operations.includes("orphaned_memories")) {
    const memories = old.filter((record) => record.kind === MEMORY_KIND && isLive(runtime, record));
    const lost = await restoreContents(runtime, options, [...memories, ...old.filter(isVersionIn(owners))], tally);
    await indexMissing(runtime, options, memories, lost, tally);
  }
  return cursor;
};

function kindsFor({ operations }: CleanupOptions): string[] {
  const dependent = Object.keys(OWNERS).filter((kind) => operations.includes(operationOf(kind)));
  return operations.includes("orphaned_memories") ? [...dependent, MEMORY_KIND, CLAIM_KIND] : dependent;
}

function operationOf(kind: string): CleanupOperation {
  return OWNERS[kind]?.operation ?? "orphaned_memories";
}

/** Returns when a record was written (ISO 8601; an edge has it in its index key), or "" if with its owner. */
function writtenAt({ kind, updated_at, created_at, gsi1sk }: StoredRecord): string {
  if (typeof updated_at === "string") return updated_at;
  if (typeof created_at === "string") return created_at;
  return kind === "edge" ? (gsi1sk?.split("#")[0] ?? "") : "";
}

function isLive({ clock }: Runtime, { expire_at }: StoredRecord): boolean {
  return typeof expire_at !== "string" || Date.parse(expire_at) > clock();
}

// ---------------------------------------------------------------- orphaned records

type Owners = Map<string, StoredRecord>;

function ownerOf({ kind, pk, memory_id }: StoredRecord): RecordKey | undefined {
  if (kind === CLAIM_KIND) return memoryKey(pk.slice(0, pk.lastIndexOf(BEFORE_DIGEST)), String(memory_id));
  const owner = OWNERS[kind];
  return owner && { pk, sk: owner.sk };
}

async function readOwners(runtime: Runtime, records: StoredRecord[]): Promise<Owners> {
  const keys = records.flatMap((record) => ownerOf(record) ?? []);
  const found = await runtime.ports.records.getMany(keys);
  return new Map(found.map((record) => [identityOf(record), record]));
}

async function removeOrphans(
  runtime: Runtime,
  { dry_run }: CleanupOptions,
  records: StoredRecord[],
  owners: Owners,
  tally: Tally,
): Promise<void> {
  const orphans = Map.groupBy(records, (record) => {
    const owner = ownerOf(record);
    return owner === undefined || isNeeded(record, owners.get(identityOf(owner))) ? "" : identityOf(owner);
  });
  orphans.delete("");
  const batches = [...orphans.values()].flatMap((orphansOfOwner) => inBatches(orphansOfOwner, MAX_DELETIONS));
  await inParallel(batches, CONCURRENCY, async (batch) => {
    const contents = await contentsOf(runtime, batch);
    // Blobs are deleted first, so that a retry still finds the records that name them.
    if (!dry_run) await Promise.all(contents.map(({ key }) => runtime.ports.blobs.delete(key)));
    for (const { size } of contents) {
      tally.add("expired_sessions", "items");
      tally.add("expired_sessions", "bytes", size);
    }
    if (!dry_run && !(await removeAll(runtime, batch, owners))) return;
    for (const record of batch) {
      tally.add(operationOf(record.kind), "items");
      tally.add(operationOf(record.kind), "bytes", Buffer.byteLength(JSON.stringify(record)));
    }
  });
}

/** Whether a record belongs to an existing owner; a fact of a memory does so only if the memory names it. */
function isNeeded({ kind, id }: StoredRecord, owner: StoredRecord | undefined): boolean {
  if (owner === undefined || kind !== FACT_KIND) return owner !== undefined;
  return fromItem<Pick<Memory, "observations">>(owner).observations?.some((named) => named.id === id) === true;
}

/** Returns the blobs of messages, which only the message names; a deleted session never uses them again. */
async function contentsOf({ ports }: Runtime, batch: StoredRecord[]): Promise<{ key: string; size: number }[]> {
  const messages = batch.filter(({ kind }) => kind === MESSAGE_KIND);
  const found = await Promise.all(
    messages.flatMap(blobsNamedBy).map(async (key) => ({ key, size: (await ports.blobs.open(key))?.size })),
  );
  return found.flatMap(({ key, size }) => (size === undefined ? [] : [{ key, size }]));
}

/** Deletes records of a (usually missing) owner, unless the owner returned or a record changed meanwhile. */
async function removeAll(runtime: Runtime, batch: StoredRecord[], owners: Owners): Promise<boolean> {
  const [first] = batch;
  const owner = first && ownerOf(first);
  if (!owner) return false;
  const deletions = batch.map(({ pk, sk, kind, memory_id }): Write => {
    const condition = kind === CLAIM_KIND ? { memory_id: String(memory_id) } : "present";
    return { delete: { pk, sk }, condition };
  });
  const revision = owners.get(identityOf(owner))?.revision;
  const condition: Condition = typeof revision === "number" ? { revision } : "absent";
  return tryWrite(runtime, { check: owner, condition }, ...deletions);
}

// ---------------------------------------------------------------- memories without their blob or document

/** Returns a test for versions whose blob is not the memory's current one, which is checked with the memory. */
function isVersionIn(owners: Owners): (record: StoredRecord) => boolean {
  return (record) => {
    const owner = ownerOf(record);
    const memory = owner && owners.get(identityOf(owner));
    return record.kind === "version" && memory !== undefined && memory.content_blob !== record.content_blob;
  };
}

/** Restores contents from the search index and drops versions without content; returns memories beyond repair. */
async function restoreContents(
  runtime: Runtime,
  { dry_run }: CleanupOptions,
  records: StoredRecord[],
  tally: Tally,
): Promise<Set<string>> {
  const lost = new Set<string>();
  for (const record of await findUnreadable(runtime, records)) {
    const content = await findLostContent(runtime, record);
    if (content === undefined && record.kind !== MEMORY_KIND) {
      const condition = { content_blob: String(record.content_blob) };
      const isGone = dry_run || (await tryWrite(runtime, { delete: { pk: record.pk, sk: record.sk }, condition }));
      tally.add("orphaned_memories", "items", isGone ? 1 : 0);
      continue;
    }
    if (content === undefined) {
      lost.add(record.pk);
      runtime.logger.warn("CONTENT_LOST", { key: { pk: record.pk, sk: record.sk }, blob: record.content_blob });
      continue;
    }
    if (!dry_run) await restoreContent(runtime, record, content);
    tally.add("orphaned_memories", "items");
  }
  tally.add("orphaned_memories", "failed", lost.size);
  return lost;
}

async function indexMissing(
  runtime: Runtime,
  { dry_run }: CleanupOptions,
  memories: StoredRecord[],
  lost: Set<string>,
  tally: Tally,
): Promise<void> {
  const { search } = runtime.ports;
  const readable = memories.filter(({ pk }) => !lost.has(pk));
  const lagging = await findLagging(search, readable);
  if (lagging.length === 0) return;
  const indexed = dry_run ? lagging.length : (await indexRecords(runtime, search, lagging)).indexed;
  tally.add("orphaned_memories", "items", indexed);
}

/** Processes one page of entities and people: deletes those that no memory mentions any more. */
const cleanMentions: CleanupPass = async (runtime, { options }, tally, after) => {
  const kinds = [ENTITY_KIND, PERSON_KIND];
  const { items, cursor } = await runtime.ports.inventory.list({ kinds, limit: PAGE, after });
  // Days and moments compare as text: a mention on the day of the bound counts as later.
  const old = items.filter(
    ({ mentioned_on = "~", is_kept }) => !is_kept && String(mentioned_on) < dateOf(options.before),
  );
  const recounted = new Set<string>();
  await inParallel(old, LOOKUP_CONCURRENCY, async (record) => {
    if (await isKnown(runtime, record)) return;
    if (!options.dry_run && !(await removeUnlessMentioned(runtime, record))) return;
    if (!options.dry_run && isEntityKey(record)) recounted.add(String(record.org));
    tally.add("orphaned_memories", "items");
    tally.add("orphaned_memories", "bytes", Buffer.byteLength(JSON.stringify(record)));
  });
  for (const org of recounted) await forgetCount(runtime, ENTITIES, org);
  return cursor;
};

/** Whether a memory mentions the entity or person; for a person, a memory of its user and, if it has one, its agent. */
function isKnown({ ports }: Runtime, { kind, id, org, name, user_id, agent_id }: StoredRecord): Promise<boolean> {
  if (kind === ENTITY_KIND) return isMentioned(ports.records, String(org), String(id));
  const person = entityId(String(org), "person", String(name));
  return isMentioned(ports.records, String(org), person, (memory) => {
    return memory.user_id === user_id && (agent_id === undefined || memory.agent_id === agent_id);
  });
}

/** Deletes the record unless it changed: a mention first stores its day in it, and a request to keep it marks it. */
function removeUnlessMentioned(runtime: Runtime, { pk, sk, mentioned_on }: StoredRecord): Promise<boolean> {
  const condition = { mentioned_on: String(mentioned_on), is_kept: { absent: true } };
  return tryWrite(runtime, { delete: { pk, sk }, condition });
}

/** Processes one page of the search index: deletes documents without a record. */
const cleanDocuments: CleanupPass = async ({ ports }, { options }, tally, after) => {
  const page = { limit: DOCUMENTS_PER_PAGE, after };
  const { orphans, cursor } = await findOrphanDocuments(ports.search, ports.records, page);
  if (!options.dry_run) await ports.search.remove(orphans);
  tally.add("orphaned_memories", "items", orphans.length);
  return cursor;
};

/** Deletes old log lines; audit records expire by themselves. */
const cleanLogs: CleanupPass = async ({ ports }, { options }, tally) => {
  const pruned = await ports.logs.prune(Date.parse(options.before), options.dry_run);
  if (!pruned) tally.add("old_logs", "skipped");
  tally.add("old_logs", "items", pruned?.lines ?? 0);
  tally.add("old_logs", "bytes", pruned?.bytes ?? 0);
  return undefined;
};

export const CLEANUP_PASSES: { [name: string]: CleanupPass } = {
  clean_records: cleanRecords,
  clean_mentions: cleanMentions,
  clean_documents: cleanDocuments,
  clean_blobs: cleanBlobs,
  clean_logs: cleanLogs,
};
