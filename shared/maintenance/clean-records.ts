import { FACT_KIND } from "../facts/records.ts";
import { inBatches, inParallel } from "../kernel/parallel.ts";
import type { Memory } from "../memory/memory.ts";
import { MEMORY_KIND, memoryKey } from "../memory/records.ts";
import type { Home } from "../platform/context.ts";
import { fromItem } from "../platform/item.ts";
import type { Condition, RecordKey, StoredRecord, Write } from "../platform/ports.ts";
import { identityOf } from "../platform/preconditions.ts";
import { writeUnlessChanged } from "../platform/unless-changed.ts";
import { MESSAGE_KIND } from "../sessions/records.ts";
import { findLagging, indexRecords } from "./drift.ts";
import { blobsNamedBy, findLostContent, findUnreadable, restoreContent } from "./lost-content.ts";
import type { CleanupOperation, CleanupOptions } from "./operations.ts";
import { type CleanupPass, Tally } from "./pass.ts";

const PAGE = 250;
const WIDTH = 4;
/** Deletions of one transaction, beside the check of what they depend on. */
const DELETED_AT_ONCE = 40;

/** Records that are nothing without another one in their collection, by the sort key of that. */
const OWNERS: { [kind: string]: { sk: string; operation: CleanupOperation } } = {
  version: { sk: "memory", operation: "orphaned_memories" },
  edge: { sk: "memory", operation: "orphaned_memories" },
  fact: { sk: "memory", operation: "orphaned_memories" },
  feedback: { sk: "memory", operation: "orphaned_memories" },
  viewer: { sk: "memory", operation: "orphaned_memories" },
  message: { sk: "session", operation: "expired_sessions" },
  session_context: { sk: "session", operation: "expired_sessions" },
  session_state: { sk: "session", operation: "expired_sessions" },
  session_segment: { sk: "session", operation: "expired_sessions" },
  session_listing: { sk: "session", operation: "expired_sessions" },
};
/** Says that a content is a memory's, in a collection of its own. */
const CLAIM_KIND = "claim";
const BEFORE_DIGEST = "#content#";

/**
 * One page of the records that depend on others: goes through those whose memory or session is gone, and through memories
 * whose blob or document is missing.
 */
export const cleanRecords: CleanupPass = async (home, { options }, cursor) => {
  const request = { kinds: kindsFor(options), limit: PAGE, ...(cursor !== undefined && { after: cursor }) };
  const page = await home.ports.inventory.list(request);
  const old = page.items.filter((record) => writtenAt(record) < options.before);
  const tally = new Tally();
  const owners = await readOwners(home, old);
  await removeOrphans(home, options, old, owners, tally);
  if (options.operations.includes("orphaned_memories")) {
    const memories = old.filter((record) => record.kind === MEMORY_KIND && isLive(home, record));
    const lost = await mendContents(home, options, [...memories, ...old.filter(isVersionIn(owners))], tally);
    await mendDocuments(home, options, memories, lost, tally);
  }
  return { tallies: tally.tallies, ...(page.cursor !== undefined && { cursor: page.cursor }) };
};

function kindsFor({ operations }: CleanupOptions): string[] {
  const dependent = Object.keys(OWNERS).filter((kind) => operations.includes(operationOf(kind)));
  return operations.includes("orphaned_memories") ? [...dependent, MEMORY_KIND, CLAIM_KIND] : dependent;
}

function operationOf(kind: string): CleanupOperation {
  return OWNERS[kind]?.operation ?? "orphaned_memories";
}

/** ISO; an edge tells it by its place in the list of its entity. What tells none was written with what it depends on. */
function writtenAt({ kind, updated_at, created_at, gsi1sk }: StoredRecord): string {
  if (typeof updated_at === "string") return updated_at;
  if (typeof created_at === "string") return created_at;
  return kind === "edge" ? (gsi1sk?.split("#")[0] ?? "") : "";
}

function isLive({ clock }: Home, { expire_at }: StoredRecord): boolean {
  return typeof expire_at !== "string" || Date.parse(expire_at) > clock();
}

// ---------------------------------------------------------------- records without what they belong to

type Owners = Map<string, StoredRecord>;

function ownerOf({ kind, pk, memory_id }: StoredRecord): RecordKey | undefined {
  if (kind === CLAIM_KIND) return memoryKey(pk.slice(0, pk.lastIndexOf(BEFORE_DIGEST)), String(memory_id));
  const owner = OWNERS[kind];
  return owner && { pk, sk: owner.sk };
}

async function readOwners(home: Home, records: StoredRecord[]): Promise<Owners> {
  const keys = records.flatMap((record) => ownerOf(record) ?? []);
  const found = await home.ports.records.getMany(keys);
  return new Map(found.map((record) => [identityOf(record), record]));
}

async function removeOrphans(
  home: Home,
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
  const batches = [...orphans.values()].flatMap((own) => inBatches(own, DELETED_AT_ONCE));
  await inParallel(batches, WIDTH, async (batch) => {
    const contents = await contentsOf(home, batch);
    // As everywhere blobs go first: what is begun again still finds the records that name them.
    if (!dry_run) await Promise.all(contents.map(({ key }) => home.ports.blobs.delete(key)));
    for (const { size } of contents) {
      tally.add("expired_sessions", "items");
      tally.add("expired_sessions", "bytes", size);
    }
    if (!dry_run && !(await removeAll(home, batch, owners))) return;
    for (const record of batch) {
      tally.add(operationOf(record.kind), "items");
      tally.add(operationOf(record.kind), "bytes", Buffer.byteLength(JSON.stringify(record)));
    }
  });
}

/** Whether a record belongs to what there is: of a memory's facts, those that it names. */
function isNeeded({ kind, id }: StoredRecord, owner: StoredRecord | undefined): boolean {
  if (owner === undefined || kind !== FACT_KIND) return owner !== undefined;
  return fromItem<Pick<Memory, "observations">>(owner).observations?.some((named) => named.id === id) === true;
}

/** Blobs of messages, which nothing but the message tells of; a session that is gone never comes back to them. */
async function contentsOf({ ports }: Home, batch: StoredRecord[]): Promise<{ key: string; size: number }[]> {
  const messages = batch.filter(({ kind }) => kind === MESSAGE_KIND);
  const found = await Promise.all(
    messages.flatMap(blobsNamedBy).map(async (key) => ({ key, size: (await ports.blobs.open(key))?.size })),
  );
  return found.flatMap(({ key, size }) => (size === undefined ? [] : [{ key, size }]));
}

/** Removes records of one owner, absent mostly; nothing where that came back, or something of them changed, in the meantime. */
async function removeAll(home: Home, batch: StoredRecord[], owners: Owners): Promise<boolean> {
  const [first] = batch;
  const owner = first && ownerOf(first);
  if (!owner) return false;
  const deletions = batch.map(({ pk, sk, kind, memory_id }): Write => {
    const condition = kind === CLAIM_KIND ? { memory_id: String(memory_id) } : "present";
    return { delete: { pk, sk }, condition };
  });
  const revision = owners.get(identityOf(owner))?.revision;
  const condition: Condition = typeof revision === "number" ? { revision } : "absent";
  return writeUnlessChanged(home, { check: owner, condition }, ...deletions);
}

// ---------------------------------------------------------------- memories without their blob or document

/** Versions of another content than the memory has now; that one's blob is looked after with the memory. */
function isVersionIn(owners: Owners): (record: StoredRecord) => boolean {
  return (record) => {
    const owner = ownerOf(record);
    const memory = owner && owners.get(identityOf(owner));
    return record.kind === "version" && memory !== undefined && memory.content_blob !== record.content_blob;
  };
}

/** Restores lost contents that the search index still has, and drops versions whose content is nowhere; answers memories beyond help. */
async function mendContents(
  home: Home,
  { dry_run }: CleanupOptions,
  records: StoredRecord[],
  tally: Tally,
): Promise<Set<string>> {
  const lost = new Set<string>();
  for (const record of await findUnreadable(home, records)) {
    const content = await findLostContent(home, record);
    if (content === undefined && record.kind !== MEMORY_KIND) {
      const condition = { content_blob: String(record.content_blob) };
      const isGone =
        dry_run || (await writeUnlessChanged(home, { delete: { pk: record.pk, sk: record.sk }, condition }));
      tally.add("orphaned_memories", "items", isGone ? 1 : 0);
      continue;
    }
    if (content === undefined) {
      lost.add(record.pk);
      home.logger.warn("CONTENT_LOST", { key: { pk: record.pk, sk: record.sk }, blob: record.content_blob });
      continue;
    }
    if (!dry_run) await restoreContent(home, record, content);
    tally.add("orphaned_memories", "items");
  }
  tally.add("orphaned_memories", "failed", lost.size);
  return lost;
}

async function mendDocuments(
  home: Home,
  { dry_run }: CleanupOptions,
  memories: StoredRecord[],
  lost: Set<string>,
  tally: Tally,
): Promise<void> {
  const lagging = await findLagging(
    home.ports.search,
    memories.filter(({ pk }) => !lost.has(pk)),
  );
  if (lagging.length === 0) return;
  const { indexed } = dry_run ? { indexed: lagging.length } : await indexRecords(home, home.ports.search, lagging);
  tally.add("orphaned_memories", "items", indexed);
}
