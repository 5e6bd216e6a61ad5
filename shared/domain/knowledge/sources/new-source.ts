import { isDeepStrictEqual } from "node:util";
import { timestamp } from "../../../kernel/clock.ts";
import type { Config } from "../../../kernel/config.ts";
import type { Write } from "../../../ports/record-store.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import { ended, type Job, newJob } from "../../../runtime/jobs/job.ts";
import { insertJob, replaceJob } from "../../../runtime/jobs/records.ts";
import { WHOLE_TEXT } from "./chunking.ts";
import { INGEST_SOURCE_JOB } from "./job-kinds.ts";
import { blobsOf, removalOf } from "./removal.ts";
import {
  type FileKind,
  type Ingestion,
  type IngestionInput,
  isRead,
  type Source,
  type SourceDraft,
  type SourceLabels,
} from "./source.ts";

/** Returns the labels of a draft that are set. */
export function labelsOf(draft: SourceLabels): SourceLabels {
  const { title, provider, external_id, url, user_id, org_id, agent_id, metadata, connection_id } = draft;
  const labels = { title, provider, external_id, url, user_id, org_id, agent_id, metadata, connection_id };
  return Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== undefined));
}

/** Returns the labels of an existing source, without a title that was derived from its content. */
export function ownLabels({ title, is_titled, ...others }: Source): SourceLabels {
  return labelsOf(is_titled ? { ...others, title } : others);
}

/** Whether a source already has all these labels. */
export function labelsUnchanged(labels: SourceLabels, known: SourceLabels): boolean {
  return Object.entries(labels).every(([name, value]) => isDeepStrictEqual(known[name as keyof SourceLabels], value));
}

/** Whether a source's visible content has this hash and was read by the current reader version. */
export function hasContent(
  { config }: Pick<OrgRuntime, "config">,
  { status, content_hash, reader, file }: Source,
  hash: string,
): boolean {
  return isRead(status) && content_hash === hash && reader === readerVersionOf(config, file?.kind);
}

/** Returns a source without visible content; `name` is its file's. */
export function newSource(
  runtime: OrgRuntime,
  { type, created_by, name }: Pick<SourceDraft, "type" | "created_by"> & { name?: string | undefined },
  labels: SourceLabels,
  identity: string | undefined,
): Source {
  const now = timestamp(runtime.clock());
  return {
    ...labels,
    id: runtime.ids("source"),
    org: runtime.org,
    type,
    title: labels.title ?? name ?? labels.url ?? "Untitled",
    is_titled: labels.title !== undefined,
    metadata: labels.metadata ?? {},
    ...(identity !== undefined && { identity }),
    status: "processing",
    generation: 0,
    last_generation: 1,
    chunk_count: 0,
    entity_count: 0,
    tokens: 0,
    created_at: now,
    updated_at: now,
    created_by,
    revision: 1,
  };
}

/** Returns the source with a new content that is not visible yet. */
export function nextContent(runtime: OrgRuntime, { error, ...before }: Source): Source {
  const last_generation = before.last_generation + 1;
  return { ...before, status: "processing", last_generation, updated_at: timestamp(runtime.clock()) };
}

/** Content that never became visible: the writes that end it, and the jobs that delete its remains. */
export interface Abandoned {
  writes: Write[];
  removals: Job<"remove_source">[];
}

/** Returns the writes that cancel the reading of a content; they fail if it made progress meanwhile. */
export function abandonReading(runtime: OrgRuntime, job: Job<"ingest_source"> | undefined): Abandoned {
  if (!job) return { writes: [], removals: [] };
  const { written, reading } = job.checkpoint;
  const blobs = blobsOf({ content: job.input.content, ...(reading && { reading }) });
  return abandon(runtime, job, removalOf(runtime, job.input, { chunks: written, blobs }));
}

/** Returns the writes that revoke an upload link; they fail if its file was accepted meanwhile. */
export function abandonUpload(runtime: OrgRuntime, job: Job<"expire_upload"> | undefined): Abandoned {
  if (!job) return { writes: [], removals: [] };
  return abandon(runtime, job, removalOf(runtime, job.input, { chunks: 0, blobs: [job.input.blob] }));
}

function abandon<Kind extends "ingest_source" | "expire_upload">(
  { clock }: OrgRuntime,
  job: Job<Kind>,
  removals: Job<"remove_source">[],
): Abandoned {
  return { writes: [replaceJob(job, ended("cancelled", clock())).write, ...removals.map(insertJob)], removals };
}

/** Returns the job that reads a content; the source's `ingestion_id` must name it. */
export function newIngestion(
  runtime: OrgRuntime,
  { id: source_id, last_generation: generation }: Pick<Source, "id" | "last_generation">,
  { type, labels, content, content_hash, created_by }: Omit<IngestionInput, "source_id" | "generation">,
): Job<"ingest_source"> {
  return newJob(runtime, INGEST_SOURCE_JOB, {
    input: { source_id, generation, type, labels, content, content_hash, created_by },
    checkpoint: { written: 0, rest: WHOLE_TEXT, tokens: 0, entity_count: 0 },
    submitted_by: created_by,
  });
}

/** Returns the content that a job reads, with its progress. */
export function ingestionOf({ org, input, checkpoint }: Job<"ingest_source">): Ingestion {
  return { org, ...input, ...checkpoint };
}

/** Version of the code that reads files and splits them into chunks. */
const READER_VERSION = "3";
/** File kinds that are read differently with OCR. */
const RECOGNIZED_KINDS: readonly FileKind[] = ["image", "pdf"];

/**
 * Returns the version with which these settings read a file of a kind. If the same content is sent again, it is read
 * again only if its source was read by another version. Nothing else causes a second reading.
 */
export function readerVersionOf({ OCR }: Pick<Config, "OCR">, kind: FileKind | undefined): string {
  const isRecognized = OCR !== undefined && kind !== undefined && RECOGNIZED_KINDS.includes(kind);
  return isRecognized ? `${READER_VERSION}+${OCR}` : READER_VERSION;
}
