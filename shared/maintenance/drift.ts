import { inParallel } from "../kernel/parallel.ts";
import { toDocuments } from "../memory/indexing.ts";
import type { Memory } from "../memory/memory.ts";
import { identifyMemory, MEMORY_KIND, memoryKey, toMemory } from "../memory/records.ts";
import type { Home } from "../platform/context.ts";
import type {
  DocumentListing,
  IndexedVersion,
  IndexRebuild,
  RecordKey,
  RecordStore,
  StoredRecord,
} from "../platform/ports.ts";
import { identityOf } from "../platform/preconditions.ts";
import { isOfMemories, organizationOf } from "../retrieval/partitions.ts";
import { documentOfSkill, toSkillDocuments } from "../skills/indexing.ts";
import { SKILL_KIND, skillKey, toSkill } from "../skills/records.ts";

/** Kinds of records that are searched. */
export const INDEXED_KINDS = [MEMORY_KIND, SKILL_KIND];

/** An index that is to be in line with the records: the one in use, or one that is being built. */
export type Target = Pick<IndexRebuild, "upsert" | "remove" | "versions" | "list">;

const WIDTH = 8;

/** The document that the index should hold of a record. */
export function documentOf(record: StoredRecord): IndexedVersion {
  if (record.kind === MEMORY_KIND) {
    const { org, id, revision } = identifyMemory(record);
    return { org, id, version: revision };
  }
  return documentOfSkill(toSkill(record));
}

/** The record that a document was made of. */
function recordOf({ org, id }: IndexedVersion): RecordKey {
  const owner = organizationOf(org);
  return isOfMemories(org) ? memoryKey(owner, id) : skillKey(owner, id);
}

const nameOf = ({ org, id }: Pick<IndexedVersion, "org" | "id">): string => JSON.stringify([org, id]);

/** Those of the records that have no document, or one of an earlier version. */
export async function findLagging(target: Pick<Target, "versions">, records: StoredRecord[]): Promise<StoredRecord[]> {
  const expected = records.map(documentOf);
  const versions = new Map((await target.versions(expected)).map((found) => [nameOf(found), found.version]));
  return records.filter((_record, place) => {
    const document = expected[place];
    return document !== undefined && (versions.get(nameOf(document)) ?? 0) < document.version;
  });
}

/** Embeds and indexes the records. A memory whose content is lost is left out and told of; one that went meanwhile is not. */
export async function indexRecords(
  home: Home,
  target: Pick<Target, "upsert">,
  records: StoredRecord[],
): Promise<{ indexed: number; failed: number }> {
  const memories: Memory[] = [];
  let failed = 0;
  await inParallel(
    records.filter(({ kind }) => kind === MEMORY_KIND),
    WIDTH,
    async (record) => {
      const memory = await toMemory(home, record);
      if (memory?.content_missing) {
        failed++;
        home.logger.warn("CONTENT_LOST", { key: { pk: record.pk, sk: record.sk } });
      } else if (memory) {
        memories.push(memory);
      }
    },
  );
  const skills = records.filter(({ kind }) => kind === SKILL_KIND).map(toSkill);
  await target.upsert([...(await toDocuments(home, memories)), ...(await toSkillDocuments(home.ports, skills))]);
  return { indexed: memories.length + skills.length, failed };
}

/**
 * One page of the documents, and those of them whose record is gone. A document is only ever made of a record that is
 * there, and records are read as of now, so such a document has nothing to wait for.
 */
export async function findOrphanDocuments(
  target: Pick<Target, "list">,
  records: Pick<RecordStore, "getMany">,
  request: { limit: number; after?: string; org?: string },
): Promise<{ orphans: IndexedVersion[]; documents: IndexedVersion[]; cursor?: string }> {
  const { documents, cursor }: DocumentListing = await target.list(request);
  const found = new Set((await records.getMany(documents.map(recordOf))).map(identityOf));
  const orphans = documents.filter((document) => !found.has(identityOf(recordOf(document))));
  return { orphans, documents, ...(cursor !== undefined && { cursor }) };
}
