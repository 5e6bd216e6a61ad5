import { sha256 } from "../../../kernel/digest.ts";
import type { PageRequest } from "../../../kernel/pagination.ts";
import { finderOf, fromItem, toItem } from "../../../ports/item.ts";
import { type Listing, listObjects } from "../../../ports/listing.ts";
import { queryPages } from "../../../ports/pages.ts";
import type { Condition, RecordKey, RecordQuery, RecordStore, Write } from "../../../ports/record-store.ts";
import type { Job } from "../../../runtime/jobs/job.ts";
import { findJob } from "../../../runtime/jobs/records.ts";
import type { OwnedResource } from "../../identity/owned-resources.ts";
import { sourceKey } from "../../memory/chunk-visibility.ts";
import { EXPIRE_UPLOAD_JOB, INGEST_SOURCE_JOB } from "./job-kinds.ts";
import type { Source, SourceLabels } from "./source.ts";

export const SOURCE_KIND = "source";

export const sourcesIn = (org: string): string => `${org}#sources`;
const sourcesLabelled = (org: string, org_id: string): string => `${org}#sources#${org_id}`;
const sourcesOfConnection = (org: string, connection: string): string => `${org}#${connection}#sources`;

// ---------------------------------------------------------------- sources

/** The write of a source with its positions in the lists, under a condition on the stored one. */
export function putSource(source: Source, condition: Condition): Write {
  const { org, id, created_at, org_id, connection_id } = source;
  const byCreation = `${created_at}#${id}`;
  const index = {
    gsi1pk: sourcesIn(org),
    gsi1sk: byCreation,
    ...(org_id !== undefined && { gsi2pk: sourcesLabelled(org, org_id), gsi2sk: byCreation }),
    ...(connection_id !== undefined && { gsi3pk: sourcesOfConnection(org, connection_id), gsi3sk: byCreation }),
  };
  return { put: toItem(sourceKey(org, id), SOURCE_KIND, source, index), condition };
}

/** Stores a changed source; refused if it changed since `before` was read. */
export function replaceSource(before: Source, after: Source): Write {
  return putSource({ ...after, revision: before.revision + 1 }, { revision: before.revision });
}

/** The write that deletes the record of a source; refused if it changed since it was read. */
export function removeSource({ org, id, revision }: Source): Write {
  return { delete: sourceKey(org, id), condition: { revision } };
}

/** A source with its unfinished jobs. */
export interface SourceWithJobs {
  source: Source | undefined;
  ingestion: Job<"ingest_source"> | undefined;
  upload: Job<"expire_upload"> | undefined;
}

/** Returns a source and its jobs as of the same moment. */
export async function readSource(records: RecordStore, org: string, id: string): Promise<SourceWithJobs> {
  for (let before = await findSource(records, org, id); ; ) {
    const { ingestion_id, upload_id } = before ?? {};
    const [ingestion, upload] = await Promise.all([
      ingestion_id === undefined ? undefined : findJob(records, org, ingestion_id, INGEST_SOURCE_JOB),
      upload_id === undefined ? undefined : findJob(records, org, upload_id, EXPIRE_UPLOAD_JOB),
    ]);
    const areJobsFound = (ingestion_id === undefined || ingestion) && (upload_id === undefined || upload);
    const source = areJobsFound ? before : await findSource(records, org, id);
    // A job ends in the same write as a change of its source: if the source is unchanged, the job was lost earlier.
    if (source?.revision === before?.revision) return { source, ingestion, upload };
    before = source;
  }
}

const findSource = finderOf<Source>(sourceKey);

/** Returns one page of sources, newest first. */
export function listSources(
  records: RecordStore,
  org: string,
  { org_id }: { org_id?: string | undefined },
  page: PageRequest,
): Promise<Listing<Source>> {
  const list =
    org_id === undefined
      ? { index: "gsi1" as const, pk: sourcesIn(org) }
      : { index: "gsi2" as const, pk: sourcesLabelled(org, org_id) };
  return listObjects(records, { ...list, descending: true }, page);
}

/** Returns the ids of a connection's sources, oldest first; the index may lag by less than a second on AWS. */
export async function* listSourcesOfConnection(
  records: RecordStore,
  org: string,
  connection_id: string,
): AsyncGenerator<string> {
  const query: RecordQuery = { index: "gsi3", pk: sourcesOfConnection(org, connection_id), limit: 1000 };
  for await (const items of queryPages(records, query)) {
    for (const { id } of items) if (typeof id === "string") yield id;
  }
}

/** Sources about or by a user; their memories are transferred like all memories. Without a successor they are kept. */
export const sourcesOwned: OwnedResource = {
  name: "sources",
  listing: (org) => ({ index: "gsi1", pk: sourcesIn(org) }),
  reassign(_runtime, record, { from, to }) {
    const source = fromItem<Source>(record);
    if (to === undefined || (source.user_id !== from && source.created_by !== from)) return undefined;
    const user = source.user_id === from ? { user_id: to } : {};
    const created_by = source.created_by === from ? to : source.created_by;
    return [replaceSource(source, { ...source, ...user, created_by })];
  },
};

// ---------------------------------------------------------------- identity

/** Identifies a source without an external id or URL: the name of its file, if requested, or its content. */
export type UnnamedIdentity = { file: string } | { content_hash: string };

/**
 * Returns the identity of a source within its organization: its external id, otherwise its URL, otherwise the name of
 * its file with its title, or its content. Each is separate per label, provider, connection and user.
 */
export function identityOf(
  { external_id, url, title, provider, connection_id, user_id, org_id }: SourceLabels,
  unnamed: UnnamedIdentity,
): string {
  const name = external_id ?? url;
  const file = "file" in unnamed ? ["file", unnamed.file, title ?? null] : ["content", unnamed.content_hash];
  const known = name === undefined ? file : ["name", name];
  const scope = [provider, connection_id, user_id, org_id].map((part) => part ?? null);
  return sha256(JSON.stringify([...known, ...scope]));
}

const identityKey = (org: string, identity: string): RecordKey => ({
  pk: `${org}#source-identity#${identity}`,
  sk: "identity",
});

/** Assigns an identity to a source; refused if it is already assigned. */
export function claimIdentity(org: string, identity: string, source_id: string): Write {
  return { put: toItem(identityKey(org, identity), "source_identity", { source_id }), condition: "absent" };
}

/** Frees an identity; refused if another source has it by now. */
export function releaseIdentity(org: string, identity: string, source_id: string): Write {
  const own = { atLeast: source_id, atMost: source_id, orAbsent: true as const };
  return { delete: identityKey(org, identity), condition: { source_id: own } };
}

/** Returns the source with this identity and its jobs, if there is one. */
export async function readByIdentity(records: RecordStore, org: string, identity: string) {
  const record = await records.get(identityKey(org, identity));
  return typeof record?.source_id === "string" ? readSource(records, org, record.source_id) : undefined;
}
