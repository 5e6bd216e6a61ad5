import { isDeepStrictEqual } from "node:util";
import { ended, type Job, newJob } from "../jobs/job.ts";
import { insertJob, replaceJob } from "../jobs/records.ts";
import { timestamp } from "../kernel/clock.ts";
import type { OrgHome } from "../platform/context.ts";
import type { Write } from "../platform/ports.ts";
import { WHOLE_TEXT } from "./chunking.ts";
import { READER_VERSION } from "./reader-version.ts";
import { blobsOf, removalOf } from "./removal.ts";
import type { Ingestion, IngestionInput, Source, SourceDraft, SourceLabels } from "./source.ts";

export function labelsOf(draft: SourceLabels): SourceLabels {
  const { title, provider, external_id, url, user_id, org_id, agent_id, metadata, connection_id } = draft;
  const labels = { title, provider, external_id, url, user_id, org_id, agent_id, metadata, connection_id };
  return Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== undefined));
}

/** What was said of a source before holds on, but for a title that nobody gave it. */
export function ownLabels({ title, is_titled, ...others }: Source): SourceLabels {
  return labelsOf(is_titled ? { ...others, title } : others);
}

/** Whether everything that is said of a source is so already. */
export function saysNothingNew(labels: SourceLabels, known: SourceLabels): boolean {
  return Object.entries(labels).every(([name, value]) => isDeepStrictEqual(known[name as keyof SourceLabels], value));
}

/** Whether a source has a content in view as it would be read now. */
export function holds({ status, content_hash, reader }: Source, hash: string): boolean {
  return (status === "active" || status === "no_text") && content_hash === hash && reader === READER_VERSION;
}

/** A source that has no content in view yet; `name` is its file's. */
export function newSource(
  home: OrgHome,
  { type, created_by, name }: Pick<SourceDraft, "type" | "created_by"> & { name?: string | undefined },
  labels: SourceLabels,
  identity: string | undefined,
): Source {
  const now = timestamp(home.clock());
  return {
    ...labels,
    id: home.ids("source"),
    org: home.org,
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

/** The source with a content begun that is not in view yet. */
export function nextContent(home: OrgHome, { error, ...before }: Source): Source {
  const last_generation = before.last_generation + 1;
  return { ...before, status: "processing", last_generation, updated_at: timestamp(home.clock()) };
}

/** What ends without ever having been in view: the writes of that, and the jobs among them that remove what it left. */
export interface Abandoned {
  writes: Write[];
  removals: Job<"remove_source">[];
}

/** Ends the reading of a content; refused where that came further. */
export function abandonReading(home: OrgHome, job: Job<"ingest_source"> | undefined): Abandoned {
  if (!job) return { writes: [], removals: [] };
  const { written, reading } = job.checkpoint;
  const blobs = blobsOf({ content: job.input.content, ...(reading && { reading }) });
  return abandon(home, job, removalOf(home, job.input, { chunks: written, blobs }));
}

/** Takes a link back; refused where its file was taken in. */
export function abandonUpload(home: OrgHome, job: Job<"expire_upload"> | undefined): Abandoned {
  if (!job) return { writes: [], removals: [] };
  return abandon(home, job, removalOf(home, job.input, { chunks: 0, blobs: [job.input.blob] }));
}

function abandon<Kind extends "ingest_source" | "expire_upload">(
  { clock }: OrgHome,
  job: Job<Kind>,
  removals: Job<"remove_source">[],
): Abandoned {
  return { writes: [replaceJob(job, ended("cancelled", clock())).write, ...removals.map(insertJob)], removals };
}

type NewIngestion = Omit<IngestionInput, "source_id" | "generation">;

/** The job that reads a content, which the source that has it must name. */
export function newIngestion(
  home: OrgHome,
  { id: source_id, last_generation: generation }: Pick<Source, "id" | "last_generation">,
  { type, labels, content, content_hash, created_by }: NewIngestion,
): Job<"ingest_source"> {
  return newJob(home, "ingest_source", {
    input: { source_id, generation, type, labels, content, content_hash, created_by },
    checkpoint: { written: 0, rest: WHOLE_TEXT, tokens: 0, entity_count: 0 },
    submitted_by: created_by,
  });
}

/** What a job reads, and how much of it is read. */
export function ingestionOf({ org, input, checkpoint }: Job<"ingest_source">): Ingestion {
  return { org, ...input, ...checkpoint };
}
