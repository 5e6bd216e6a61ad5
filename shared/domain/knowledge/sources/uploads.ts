import { createHash } from "node:crypto";
import { timestamp } from "../../../kernel/clock.ts";
import { DAY_MS } from "../../../kernel/durations.ts";
import { invalid, notFound, ServiceError } from "../../../kernel/errors.ts";
import { beingChanged, retryOnConflict } from "../../../ports/conflicts.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import type { JobHandler } from "../../../runtime/jobs/handler.ts";
import { ended, type Job, newJob } from "../../../runtime/jobs/job.ts";
import { enqueueJob } from "../../../runtime/jobs/queue.ts";
import { insertJob, replaceJob } from "../../../runtime/jobs/records.ts";
import { deleteSource } from "./delete.ts";
import { SNIFFED_BYTES, sniff } from "./extraction/sniff.ts";
import { blobKey, fileName } from "./file-names.ts";
import { EXPIRE_UPLOAD_JOB } from "./job-kinds.ts";
import {
  abandonReading,
  abandonUpload,
  hasContent,
  labelsOf,
  labelsUnchanged,
  newIngestion,
  newSource,
  nextContent,
  ownLabels,
} from "./new-source.ts";
import {
  claimIdentity,
  identityOf,
  putSource,
  readByIdentity,
  readSource,
  replaceSource,
  type SourceWithJobs,
} from "./records.ts";
import { dropBlobs, enqueueRemovals } from "./removal.ts";
import type { Ingested, Source, SourceFile, SourceLabels, UploadInput } from "./source.ts";

/** How long an upload link is valid, and how long after its creation the upload may be completed. */
export const UPLOAD_LINK_SECONDS = 3600;
const COMPLETED_WITHIN_MS = DAY_MS;
/** Maximum size of a file uploaded by a link. */
export const MAX_LINKED_BYTES = 512 * 1024 * 1024;

/** A file that a client wants to upload directly to the blob store. */
export interface DeclaredFile extends SourceLabels {
  filename: string;
  content_type?: string | undefined;
  /** See `SourceDraft`. */
  replaces_same_name?: boolean | undefined;
  created_by: string;
}

/** Creates an upload link; `completeUpload` makes the uploaded file the content of the source. Throws CONFLICT. */
export async function beginUpload(runtime: OrgRuntime, declared: DeclaredFile) {
  const labels = labelsOf(declared);
  const isNamed = (labels.external_id ?? labels.url) !== undefined || declared.replaces_same_name === true;
  const identity = isNamed ? identityOf(labels, { file: fileName(declared.filename) }) : undefined;
  const { records, blobs } = runtime.ports;
  const start = async () => {
    const state = identity === undefined ? undefined : await readByIdentity(records, runtime.org, identity);
    return begin(runtime, declared, labels, identity, state);
  };
  const { source, input } = await retryOnConflict(start, { exhausted: () => beingChanged("source") });
  const url = await blobs.presign(input.blob, "put", UPLOAD_LINK_SECONDS);
  return { source, url, expires_at: timestamp(runtime.clock() + UPLOAD_LINK_SECONDS * 1000) };
}

/** Stores the link's job and its source. Throws ConditionFailedError after a concurrent change of the source. */
async function begin(
  runtime: OrgRuntime,
  { filename, content_type, created_by }: DeclaredFile,
  labels: SourceLabels,
  identity: string | undefined,
  state: SourceWithJobs | undefined,
): Promise<{ source: Source; input: UploadInput }> {
  const before = state?.source;
  const name = fileName(filename);
  const source: Source = before
    ? { ...before, last_generation: before.last_generation + 1 }
    : { ...newSource(runtime, { type: "upload", created_by, name }, labels, identity), status: "awaiting_upload" };
  const input: UploadInput = {
    source_id: source.id,
    generation: source.last_generation,
    labels,
    name,
    ...(content_type !== undefined && { content_type }),
    blob: blobKey(source, name),
    created_by,
  };
  const job = newJob(runtime, EXPIRE_UPLOAD_JOB, {
    input,
    checkpoint: null,
    submitted_by: created_by,
    delayMs: COMPLETED_WITHIN_MS,
  });
  const after = { ...source, upload_id: job.id };
  await runtime.ports.records.write(
    before ? replaceSource(before, after) : putSource(after, "absent"),
    ...(!before && identity !== undefined ? [claimIdentity(runtime.org, identity, source.id)] : []),
    ...abandonUpload(runtime, state?.upload).writes,
    insertJob(job),
  );
  return { source: after, input };
}

/**
 * Starts to read an uploaded file; a repeated call only returns the source. Throws SOURCE_NOT_FOUND, CONFLICT if no
 * file was uploaded yet, VALIDATION_ERROR for an empty file, PAYLOAD_TOO_LARGE.
 */
export async function completeUpload(runtime: OrgRuntime, id: string): Promise<Ingested> {
  const exhausted = () => beingChanged("source");
  const { ingested, unused = [], started } = await retryOnConflict(() => acceptUpload(runtime, id), { exhausted });
  await dropBlobs(runtime, unused);
  if (started) {
    await enqueueRemovals(runtime, started.removals);
    await enqueueJob(runtime, started.job);
  }
  return ingested;
}

interface Uploaded {
  ingested: Ingested;
  /** Blobs that no record names any more. */
  unused?: string[];
  /** The job that reads the file, and those that remove what it replaces. */
  started?: { job: Job<"ingest_source">; removals: Job<"remove_source">[] };
}

async function acceptUpload(runtime: OrgRuntime, id: string): Promise<Uploaded> {
  const { records } = runtime.ports;
  const state = await readSource(records, runtime.org, id);
  const { source, upload } = state;
  if (!source) throw notFound("source", id);
  const unchanged: Ingested = { source, outcome: "unchanged" };
  if (!upload) return { ingested: unchanged };
  const { upload_id: _, ...known } = source;
  const { input } = upload;
  const { write: used } = replaceJob(upload, ended("completed", runtime.clock()));
  const { file, content_hash } = await examine(runtime, input);
  if (hasContent(runtime, source, content_hash) && labelsUnchanged(input.labels, source)) {
    await records.write(used, replaceSource(source, known));
    return { ingested: unchanged, unused: [input.blob] };
  }
  const { job, after } = startReading(runtime, known, { file, content_hash, input });
  const { removals, writes } = abandonReading(runtime, state.ingestion);
  await records.write(used, replaceSource(source, after), insertJob(job), ...writes);
  const outcome = source.generation === 0 ? "created" : "updated";
  return { ingested: { source: after, outcome }, started: { job, removals } };
}

/** Returns the job that reads an uploaded file, and the source that names the job. */
function startReading(
  runtime: OrgRuntime,
  source: Source,
  { file, content_hash, input }: { file: SourceFile; content_hash: string; input: UploadInput },
): { job: Job<"ingest_source">; after: Source } {
  const { generation, created_by } = input;
  const labels = { ...ownLabels(source), ...input.labels };
  const content = { type: "upload", labels, content: { file }, content_hash, created_by };
  const job = newIngestion(runtime, { id: source.id, last_generation: generation }, content);
  const { last_generation } = source;
  return { job, after: { ...nextContent(runtime, source), last_generation, ingestion_id: job.id } };
}

/** Returns the file with the type that its first bytes show, and the content's hash. Throws like `completeUpload`. */
async function examine({ ports }: OrgRuntime, { blob, name, content_type: declared }: UploadInput) {
  const opened = await ports.blobs.open(blob);
  if (!opened) throw new ServiceError("CONFLICT", "No file was uploaded yet. PUT the file to upload_url first.");
  if (opened.size === 0) throw invalid({ field: "file", problem: "is empty; send it again" });
  if (opened.size > MAX_LINKED_BYTES) {
    throw new ServiceError("PAYLOAD_TOO_LARGE", `The file exceeds ${MAX_LINKED_BYTES} bytes.`, {
      max_bytes: MAX_LINKED_BYTES,
    });
  }
  const hash = createHash("sha256");
  const head: Uint8Array[] = [];
  let length = 0;
  for await (const part of opened.parts) {
    hash.update(part);
    if (length < SNIFFED_BYTES) head.push(part);
    length += part.byteLength;
  }
  const { kind, content_type } = await sniff(Buffer.concat(head).subarray(0, SNIFFED_BYTES), { name, declared });
  const declared_type = declared === undefined ? {} : { declared_type: declared };
  const file: SourceFile = { name, kind, content_type, ...declared_type, bytes: opened.size, blob };
  return { file, content_hash: hash.digest("hex") };
}

/** Expires an upload; deletes its source if the file was to be the first content of the source. */
export const expireUpload: JobHandler<"expire_upload"> = {
  job: EXPIRE_UPLOAD_JOB,
  async step(runtime, { job }) {
    const { source, upload } = await readSource(runtime.ports.records, runtime.org, job.input.source_id);
    if (!source || !upload) return { end: "cancelled" };
    if (source.status === "awaiting_upload") {
      // This ends the job too.
      await deleteSource(runtime, source.id);
      return { end: "cancelled" };
    }
    const { upload_id: _, ...after } = source;
    return { end: "completed", writes: [replaceSource(source, after)] };
  },
  async onEnded(runtime, { state, input }) {
    if (state === "completed") await dropBlobs(runtime, [input.blob]);
  },
};
