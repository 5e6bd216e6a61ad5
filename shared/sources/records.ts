import type { Job } from "../jobs/job.ts";
import { findJob } from "../jobs/records.ts";
import { sha256 } from "../kernel/digest.ts";
import type { PageRequest } from "../kernel/pagination.ts";
import { fromItem, toItem } from "../platform/item.ts";
import { readPage } from "../platform/listing.ts";
import { queryPages } from "../platform/pages.ts";
import type { Condition, RecordKey, RecordQuery, RecordStore, Write } from "../platform/ports.ts";
import type { Source, SourceLabels } from "./source.ts";
import { sourceKey } from "./view.ts";

export const SOURCE_KIND = "source";

export const sourcesIn = (org: string): string => `${org}#sources`;
const sourcesLabelled = (org: string, org_id: string): string => `${org}#sources#${org_id}`;
const sourcesBroughtBy = (org: string, connection: string): string => `${org}#${connection}#sources`;

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

/** A source and what is being done about it. */
export interface SourceWithJobs {
  source: Source | undefined;
  ingestion: Job<"ingest_source"> | undefined;
  upload: Job<"expire_upload"> | undefined;
}

/** A source and its jobs, of one moment. */
export async function readSource(records: RecordStore, org: string, id: string): Promise<SourceWithJobs> {
  for (let before = await findSource(records, org, id); ; ) {
    const { ingestion_id, upload_id } = before ?? {};
    const [ingestion, upload] = await Promise.all([
      ingestion_id === undefined ? undefined : findJob(records, org, ingestion_id, "ingest_source"),
      upload_id === undefined ? undefined : findJob(records, org, upload_id, "expire_upload"),
    ]);
    const isWhole = (ingestion_id === undefined || ingestion) && (upload_id === undefined || upload);
    const source = isWhole ? before : await findSource(records, org, id);
    // A job ends with a write to its source: where that is as it was, the job was lost before.
    if (source?.revision === before?.revision) return { source, ingestion, upload };
    before = source;
  }
}

async function findSource(records: RecordStore, org: string, id: string): Promise<Source | undefined> {
  const record = await records.get(sourceKey(org, id));
  return record && fromItem<Source>(record);
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

/** What a source without a name of its own is known by: the name of its file, if asked, or its content. */
export type UnnamedIdentity = { file: string } | { content_hash: string };

/**
 * What a source is known by within its organization: its name where it comes from, else its address, else the name of its
 * file with its title, or its content; apart for each label, provider, connection and user.
 */
export function identityOf(
  { external_id, url, title, provider, connection_id, user_id, org_id }: SourceLabels,
  unnamed: UnnamedIdentity,
): string {
  const name = external_id ?? url;
  const file = "file" in unnamed ? ["file", unnamed.file, title ?? null] : ["content", unnamed.content_hash];
  const known = name === undefined ? file : ["name", name];
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
