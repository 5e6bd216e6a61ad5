import { inBatches, inParallel } from "../../../kernel/parallel.ts";
import { isOfMemories, organizationOf } from "../../../ports/partitions.ts";
import { identityOf } from "../../../ports/preconditions.ts";
import type { RecordKey, RecordStore, StoredRecord } from "../../../ports/record-store.ts";
import type { DocumentListing, IndexedVersion, IndexRebuild } from "../../../ports/search-index.ts";
import type { Runtime } from "../../../runtime/context.ts";
import { documentOfSkill, toSkillDocuments } from "../../agents/skills/indexing.ts";
import { SKILL_KIND, skillKey, toSkill } from "../../agents/skills/records.ts";
import { toDocuments } from "../../memory/indexing.ts";
import type { Memory } from "../../memory/memory.ts";
import { MEMORY_KIND, memoryKey } from "../../memory/memory-keys.ts";
import { identifyMemory, toMemory } from "../../memory/records.ts";

/** Kinds of records that are searched. */
export const INDEXED_KINDS = [MEMORY_KIND, SKILL_KIND];

/** An index to bring up to date: the current one, or one being built. */
export type Target = Pick<IndexRebuild, "upsert" | "remove" | "versions" | "list">;

const CONCURRENCY = 8;
const INDEXED_AT_ONCE = 100;

/** Returns the id and version of the document that the index should hold for a record. */
export function documentOf(record: StoredRecord): IndexedVersion {
  if (record.kind === MEMORY_KIND) {
    const { org, id, revision } = identifyMemory(record);
    return { org, id, version: revision };
  }
  return documentOfSkill(toSkill(record));
}

/** Returns the key of a document's record. */
function recordKeyOf({ org, id }: IndexedVersion): RecordKey {
  const owner = organizationOf(org);
  return isOfMemories(org) ? memoryKey(owner, id) : skillKey(owner, id);
}

const nameOf = ({ org, id }: Pick<IndexedVersion, "org" | "id">): string => JSON.stringify([org, id]);

/** Returns the records without a document, or with a document of an earlier version. */
export async function findLagging(target: Pick<Target, "versions">, records: StoredRecord[]): Promise<StoredRecord[]> {
  const expected = records.map(documentOf);
  const versions = new Map((await target.versions(expected)).map((found) => [nameOf(found), found.version]));
  return records.filter((_record, index) => {
    const document = expected[index];
    return document !== undefined && (versions.get(nameOf(document)) ?? 0) < document.version;
  });
}

/** Embeds and indexes records. Reports and skips memories with lost content, unless they were deleted meanwhile. */
export async function indexRecords(
  runtime: Runtime,
  target: Pick<Target, "upsert">,
  records: StoredRecord[],
): Promise<{ indexed: number; failed: number }> {
  let [indexed, failed] = [0, 0];
  for (const batch of inBatches(records, INDEXED_AT_ONCE)) {
    const result = await indexBatch(runtime, target, batch);
    indexed += result.indexed;
    failed += result.failed;
  }
  return { indexed, failed };
}

async function indexBatch(
  runtime: Runtime,
  target: Pick<Target, "upsert">,
  records: StoredRecord[],
): Promise<{ indexed: number; failed: number }> {
  const memories: Memory[] = [];
  let failed = 0;
  await inParallel(
    records.filter(({ kind }) => kind === MEMORY_KIND),
    CONCURRENCY,
    async (record) => {
      const memory = await toMemory(runtime, record);
      if (memory?.content_missing) {
        failed++;
        runtime.logger.warn("CONTENT_LOST", { key: { pk: record.pk, sk: record.sk } });
      } else if (memory) {
        memories.push(memory);
      }
    },
  );
  const skills = records.filter(({ kind }) => kind === SKILL_KIND).map(toSkill);
  await target.upsert([...(await toDocuments(runtime, memories)), ...(await toSkillDocuments(runtime.ports, skills))]);
  return { indexed: memories.length + skills.length, failed };
}

/**
 * Returns one page of documents, and those of them without a record. A document is only created for an existing record,
 * and records are read consistently, so such a document can be deleted.
 */
export async function findOrphanDocuments(
  target: Pick<Target, "list">,
  records: Pick<RecordStore, "getMany">,
  request: { limit: number; after?: string; org?: string },
): Promise<{ orphans: IndexedVersion[]; documents: IndexedVersion[]; cursor?: string }> {
  const { documents, cursor }: DocumentListing = await target.list(request);
  const found = new Set((await records.getMany(documents.map(recordKeyOf))).map(identityOf));
  const orphans = documents.filter((document) => !found.has(identityOf(recordKeyOf(document))));
  return { orphans, documents, cursor };
}
