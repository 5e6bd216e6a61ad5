import { sha256 } from "../kernel/digest.ts";
import type { PageRequest } from "../kernel/pagination.ts";
import { fromItem, toItem } from "../platform/item.ts";
import { readPage } from "../platform/listing.ts";
import { queryPages } from "../platform/pages.ts";
import type {
  Condition,
  JsonObject,
  RecordKey,
  RecordQuery,
  RecordStore,
  StoredRecord,
  Write,
} from "../platform/ports.ts";
import { shardOf } from "../platform/shards.ts";
import type { Ingestion, PendingUpload, Removal, Source, SourceLabels } from "./source.ts";
import { SOURCE_SORT_KEY, sourceCollection, sourceKey } from "./view.ts";

export const SOURCE_KIND = "source";

/** Indexes of what is pending, so that no partition takes the writes of all. */
const SHARDS = 16;
const MOST_CHORES = 1000;

const INGESTION_SORT_KEY = "chore#ingestion";
const UPLOAD_SORT_KEY = "chore#upload";
const REMOVAL_SORT_KEY = "chore#removal#";

const ingestionKey = (org: string, id: string): RecordKey => ({
  pk: sourceCollection(org, id),
  sk: INGESTION_SORT_KEY,
});
const uploadKey = (org: string, id: string): RecordKey => ({ pk: sourceCollection(org, id), sk: UPLOAD_SORT_KEY });
const removalKey = (org: string, id: string, generation: number): RecordKey => ({
  pk: sourceCollection(org, id),
  sk: REMOVAL_SORT_KEY + generation,
});
export const sourcesIn = (org: string): string => `${org}#sources`;
const sourcesLabelled = (org: string, org_id: string): string => `${org}#sources#${org_id}`;
const sourcesBroughtBy = (org: string, connection: string): string => `${org}#${connection}#sources`;
const pendingIn = (shard: number): string => `pending-sources#${shard}`;

// ---------------------------------------------------------------- sources

export function putSource(source: Source, condition: Condition): Write {
  const { org, id, created_at, org_id, connection_id } = source;
  const byCreation = `${created_at}#${id}`;
  const index = {
    gsi1pk: sourcesIn(org),
    gsi1sk: byCreation,
    ...(org_id !== undefined && { gsi2pk: sourcesLabelled(org, org_id), gsi2sk: byCreation }),
    ...(connection_id !== undefined && { gsi3pk: sourcesBroughtBy(org, connection_id), gsi3sk: byCreation }),
  };
  return { put: toItem(sourceKey(org, id), SOURCE_KIND, source, index), condition };
}

/** Stores what a source becomes, refused when anything of it changed since it was read. */
export function replaceSource(before: Source, after: Source): Write {
  return putSource({ ...after, revision: before.revision + 1 }, { revision: before.revision });
}

export function removeSource({ org, id, revision }: Source): Write {
  return { delete: sourceKey(org, id), condition: { revision } };
}

/** A source and all that is being done about it. */
export interface SourceWithChores {
  source: Source | undefined;
  ingestion: Ingestion | undefined;
  upload: PendingUpload | undefined;
  removals: Removal[];
}

/** One read, of one moment. */
export async function readSource(records: RecordStore, org: string, id: string): Promise<SourceWithChores> {
  const { items } = await records.query({ pk: sourceCollection(org, id), limit: MOST_CHORES });
  const under = (sk: string) => items.find((item) => item.sk === sk);
  return {
    source: found<Source>(under(SOURCE_SORT_KEY)),
    ingestion: found<Ingestion>(under(INGESTION_SORT_KEY)),
    upload: found<PendingUpload>(under(UPLOAD_SORT_KEY)),
    removals: items.filter(({ sk }) => sk.startsWith(REMOVAL_SORT_KEY)).map((item) => fromItem<Removal>(item)),
  };
}

function found<T extends object>(record: StoredRecord | undefined): T | undefined {
  return record && fromItem<T>(record);
}

/** Newest first. */
export async function listSources(
  records: RecordStore,
  org: string,
  { org_id }: { org_id?: string | undefined },
  page: PageRequest,
): Promise<{ sources: Source[]; total: number; hasNext: boolean }> {
  const list =
    org_id === undefined
      ? { index: "gsi1" as const, pk: sourcesIn(org) }
      : { index: "gsi2" as const, pk: sourcesLabelled(org, org_id) };
  const { items, total, hasNext } = await readPage(records, { ...list, descending: true }, page);
  return { sources: items.map((item) => fromItem<Source>(item)), total, hasNext };
}

/** Ids of what a connection brought, oldest first; the index may lag by under a second on AWS. */
export async function* listSourcesBroughtBy(
  records: RecordStore,
  org: string,
  connection_id: string,
): AsyncGenerator<string> {
  const query: RecordQuery = { index: "gsi3", pk: sourcesBroughtBy(org, connection_id), limit: 1000 };
  for await (const items of queryPages(records, query)) {
    for (const { id } of items) if (typeof id === "string") yield id;
  }
}

// ---------------------------------------------------------------- what makes two sources one

/**
 * What a source is known by within its organization: its name where it comes from, else its address, else its content;
 * apart for each label, provider, connection and user.
 */
export function identityOf(
  { external_id, url, provider, connection_id, user_id, org_id }: SourceLabels,
  content_hash: string,
): string {
  const name = external_id ?? url;
  const known = name === undefined ? ["content", content_hash] : ["name", name];
  const place = [provider, connection_id, user_id, org_id].map((part) => part ?? null);
  return sha256(JSON.stringify([...known, ...place]));
}

const identityKey = (org: string, identity: string): RecordKey => ({
  pk: `${org}#source-identity#${identity}`,
  sk: "identity",
});

/** Makes a source the one that is known by an identity; refused while another one is. */
export function claimIdentity(org: string, identity: string, source_id: string): Write {
  return { put: toItem(identityKey(org, identity), "source_identity", { source_id }), condition: "absent" };
}

export function releaseIdentity(org: string, identity: string, source_id: string): Write {
  const own = { atLeast: source_id, atMost: source_id, orAbsent: true as const };
  return { delete: identityKey(org, identity), condition: { source_id: own } };
}

export async function findByIdentity(records: RecordStore, org: string, identity: string): Promise<string | undefined> {
  const record = await records.get(identityKey(org, identity));
  return typeof record?.source_id === "string" ? record.source_id : undefined;
}

// ---------------------------------------------------------------- what is being done

const pendingSince = (id: string, moment: string, chore: string) => ({
  gsi2pk: pendingIn(shardOf(id, SHARDS)),
  gsi2sk: `${moment}#${id}#${chore}`,
});

/** Exactly the state that was read: nobody wrote on, began anew or gave up in between. */
const asRead = ({ generation, written, attempts }: Ingestion): Condition => ({ generation, written, attempts });

export function putIngestion(ingestion: Ingestion, before: Ingestion | "absent"): Write {
  const { org, source_id, queued_at } = ingestion;
  const item = toItem(ingestionKey(org, source_id), "source_ingestion", ingestion, {
    ...pendingSince(source_id, queued_at, "ingestion"),
  });
  return { put: item, condition: before === "absent" ? before : asRead(before) };
}

/** How far an ingestion has come, written along with the chunks that got it there. */
export type Progress = Pick<Ingestion, "written" | "rest" | "tokens" | "entity_count">;

/** Refused when the ingestion is not where it was: so no chunk is written twice, nor for a content that is out of date. */
export function advanceIngestion(before: Ingestion, progress: Progress): Write {
  const { org, source_id, generation, written } = before;
  const { rest, ...counts } = progress;
  return {
    update: ingestionKey(org, source_id),
    set: { ...counts, rest: { ...rest } },
    condition: { generation, written },
  };
}

export function removeIngestion(ingestion: Ingestion): Write {
  const { org, source_id, generation, written } = ingestion;
  return { delete: ingestionKey(org, source_id), condition: { generation, written } };
}

export function putRemoval(removal: Removal): Write {
  const { org, source_id, generation, queued_at } = removal;
  const key = removalKey(org, source_id, generation);
  const index = pendingSince(source_id, queued_at, `removal-${generation}`);
  return { put: toItem(key, "source_removal", removal, index) };
}

export function dropRemoval({ org, source_id, generation }: Removal): Write {
  return { delete: removalKey(org, source_id, generation) };
}

export function putUpload(upload: PendingUpload): Write {
  const { org, source_id, expires_at } = upload;
  const index = pendingSince(source_id, expires_at, "upload");
  return { put: toItem(uploadKey(org, source_id), "source_upload", upload, index) };
}

export function removeUpload({ org, source_id, generation }: PendingUpload): Write {
  return { delete: uploadKey(org, source_id), condition: { generation } };
}

/** Something that was begun for a source and should have ended by now. */
export type Overdue =
  | { kind: "source_ingestion"; chore: Ingestion }
  | { kind: "source_removal"; chore: Removal }
  | { kind: "source_upload"; chore: PendingUpload };

/** Of all organizations, queued (uploads: expired) before an instant; those first of each part that waited longest. */
export async function* listOverdue(records: RecordStore, before: string, limit: number): AsyncGenerator<Overdue> {
  for (let shard = 0; shard < SHARDS; shard++) {
    const { items } = await records.query({ index: "gsi2", pk: pendingIn(shard), sk: { atMost: before }, limit });
    for (const item of items) yield { kind: item.kind, chore: fromItem<JsonObject>(item) } as unknown as Overdue;
  }
}
