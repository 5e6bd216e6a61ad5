import { createHash } from "node:crypto";
import type { JobHandler } from "../jobs/handler.ts";
import { ended, type Job, newJob } from "../jobs/job.ts";
import { enqueueJob } from "../jobs/queue.ts";
import { insertJob, replaceJob } from "../jobs/records.ts";
import { timestamp } from "../kernel/clock.ts";
import { invalid, notFound, ServiceError } from "../kernel/errors.ts";
import type { OrgHome } from "../platform/context.ts";
import { writeUnlessChanged } from "../platform/unless-changed.ts";
import {
  abandonReading,
  abandonUpload,
  holds,
  labelsOf,
  newIngestion,
  newSource,
  nextContent,
  ownLabels,
  saysNothingNew,
} from "./beginning.ts";
import { deleteSource } from "./delete.ts";
import { SNIFFED_BYTES, sniff } from "./extraction/sniff.ts";
import { blobKey, fileName } from "./file-names.ts";
import {
  claimIdentity,
  findByIdentity,
  identityOf,
  putSource,
  readSource,
  replaceSource,
  type SourceWithJobs,
} from "./records.ts";
import { dropBlobs, removeSoon } from "./removal.ts";
import type { Ingested, Source, SourceFile, SourceLabels, UploadInput } from "./source.ts";

/** How long a link takes a file, and how long after it was given out its use may be told. */
export const UPLOAD_LINK_SECONDS = 3600;
const COMPLETED_WITHIN_MS = 24 * 3_600_000;
/** Longest file that is taken in by a link. */
export const MAX_LINKED_BYTES = 512 * 1024 * 1024;
const MAX_ATTEMPTS = 8;

/** A file that somebody wants to send past the service, straight into the blob store. */
export interface AnnouncedFile extends SourceLabels {
  filename: string;
  content_type?: string | undefined;
  /** As in `SourceDraft`. */
  replaces_same_name?: boolean | undefined;
  created_by: string;
}

/** Where to send a file, and the source that it will be. */
export interface UploadLink {
  source: Source;
  url: string;
  expires_at: string;
}

/** Gives out a link to send a file to; what was sent becomes the source's content by `completeUpload`. Throws CONFLICT. */
export async function beginUpload(home: OrgHome, announced: AnnouncedFile): Promise<UploadLink> {
  const labels = labelsOf(announced);
  const isNamed = (labels.external_id ?? labels.url) !== undefined || announced.replaces_same_name === true;
  const identity = isNamed ? identityOf(labels, { file: fileName(announced.filename) }) : undefined;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const { records, blobs } = home.ports;
    const known = identity === undefined ? undefined : await findByIdentity(records, home.org, identity);
    const state = known === undefined ? undefined : await readSource(records, home.org, known);
    const begun = await begin(home, announced, labels, identity, state);
    if (!begun) continue;
    const url = await blobs.presign(begun.input.blob, "put", UPLOAD_LINK_SECONDS);
    return { source: begun.source, url, expires_at: timestamp(home.clock() + UPLOAD_LINK_SECONDS * 1000) };
  }
  throw conflict("Others keep changing this source. Try again.");
}

/** Undefined where somebody else made, changed or removed the source in the meantime. */
async function begin(
  home: OrgHome,
  { filename, content_type, created_by }: AnnouncedFile,
  labels: SourceLabels,
  identity: string | undefined,
  state: SourceWithJobs | undefined,
): Promise<{ source: Source; input: UploadInput } | undefined> {
  const before = state?.source;
  const name = fileName(filename);
  const source: Source = before
    ? { ...before, last_generation: before.last_generation + 1 }
    : {
        ...newSource(home, { type: "upload", created_by, name }, labels, identity),
        status: "awaiting_upload",
      };
  const input: UploadInput = {
    source_id: source.id,
    generation: source.last_generation,
    labels,
    name,
    ...(content_type !== undefined && { content_type }),
    blob: blobKey(source, name),
    created_by,
  };
  const job = newJob(home, "expire_upload", {
    input,
    checkpoint: null,
    submitted_by: created_by,
    delayMs: COMPLETED_WITHIN_MS,
  });
  const after = { ...source, upload_id: job.id };
  const isBegun = await writeUnlessChanged(
    home,
    before ? replaceSource(before, after) : putSource(after, "absent"),
    ...(!before && identity !== undefined ? [claimIdentity(home.org, identity, source.id)] : []),
    ...abandonUpload(home, state?.upload).writes,
    insertJob(job),
  );
  return isBegun ? { source: after, input } : undefined;
}

/**
 * Begins to read a file that was sent to its link; telling of it again answers what became of it. Throws SOURCE_NOT_FOUND,
 * CONFLICT while nothing has come, VALIDATION_ERROR for an empty file, PAYLOAD_TOO_LARGE.
 */
export async function completeUpload(home: OrgHome, id: string): Promise<Ingested> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const state = await readSource(home.ports.records, home.org, id);
    const { source, upload } = state;
    if (!source) throw notFound("source", id);
    if (!upload) return { source, outcome: "unchanged" };
    const { upload_id: _, ...known } = source;
    const { input } = upload;
    const { write: used } = replaceJob(upload, ended("completed", home.clock()));
    const { file, content_hash } = await examine(home, input);
    if (holds(source, content_hash) && saysNothingNew(input.labels, source)) {
      if (!(await writeUnlessChanged(home, used, replaceSource(source, known)))) continue;
      await dropBlobs(home, [input.blob]);
      return { source, outcome: "unchanged" };
    }
    const { job, after } = takingUp(home, known, { file, content_hash, input });
    const abandoned = abandonReading(home, state.ingestion);
    const writes = [used, replaceSource(source, after), insertJob(job), ...abandoned.writes];
    if (!(await writeUnlessChanged(home, ...writes))) continue;
    await removeSoon(home, abandoned.removals);
    await enqueueJob(home, job);
    return { source: after, outcome: source.generation === 0 ? "created" : "updated" };
  }
  throw conflict("Others keep changing this source. Try again.");
}

/** The job that reads a file which was sent, and the source that names it. */
function takingUp(
  home: OrgHome,
  source: Source,
  { file, content_hash, input }: { file: SourceFile; content_hash: string; input: UploadInput },
): { job: Job<"ingest_source">; after: Source } {
  const { generation, created_by } = input;
  const labels = { ...ownLabels(source), ...input.labels };
  const content = { type: "upload", labels, content: { file }, content_hash, created_by };
  const job = newIngestion(home, { id: source.id, last_generation: generation }, content);
  const { last_generation } = source;
  return { job, after: { ...nextContent(home, source), last_generation, ingestion_id: job.id } };
}

/** What was sent, as far as its beginning and its bytes tell. */
async function examine(
  { ports }: OrgHome,
  { blob, name, content_type: declared }: UploadInput,
): Promise<{ file: SourceFile; content_hash: string }> {
  const opened = await ports.blobs.open(blob);
  if (!opened) throw conflict("Nothing was sent to the link yet. PUT the file to upload_url first.");
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
  const file = { name, kind, content_type, ...declared_type, bytes: opened.size, blob };
  return { file, content_hash: hash.digest("hex") };
}

function conflict(message: string): ServiceError {
  return new ServiceError("CONFLICT", message);
}

/** Ends an upload that never came, and the source that it was to be the first content of. */
export const expireUpload: JobHandler<"expire_upload"> = {
  kind: "expire_upload",
  async step(home, { job }) {
    const { source, upload } = await readSource(home.ports.records, home.org, job.input.source_id);
    if (!source || !upload) return { end: "cancelled" };
    if (source.status === "awaiting_upload") {
      // This job with it.
      await deleteSource(home, source.id);
      return { end: "cancelled" };
    }
    const { upload_id: _, ...after } = source;
    return { end: "completed", writes: [replaceSource(source, after)] };
  },
  async onEnded(home, { state, input }) {
    if (state === "completed") await dropBlobs(home, [input.blob]);
  },
};
