import { sha256 } from "../../../kernel/digest.ts";
import { invalid, ServiceError } from "../../../kernel/errors.ts";
import { beingChanged, retryOnConflict, writeOrThrow } from "../../../ports/conflicts.ts";
import { INGEST_QUEUE } from "../../../ports/queues.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import type { Job } from "../../../runtime/jobs/job.ts";
import { enqueueJob, messageOf } from "../../../runtime/jobs/queue.ts";
import { insertJob } from "../../../runtime/jobs/records.ts";
import { runJob } from "../../../runtime/jobs/run.ts";
import { admit, recordDetection } from "../../memory/admit-text.ts";
import { storeContent } from "../../memory/content.ts";
import { SNIFFED_BYTES, sniff } from "./extraction/sniff.ts";
import { blobKey, fileName } from "./file-names.ts";
import { isRead } from "./material.ts";
import {
  abandonReading,
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
import { blobsOf, dropBlobs, enqueueRemovals } from "./removal.ts";
import type { GivenContent, Ingested, Ingestion, Source, SourceDraft, SourceFile, SourceLabels } from "./source.ts";
import { ingestSource } from "./work.ts";

/** Maximum bytes of a text or file to read before the response; longer ones are read by the workers. */
const READ_AT_ONCE = { text: 128 * 1024, html: 1024 * 1024 } as const;

/**
 * Ingests a source: starts to read its content unless it is unchanged, and reads short content before it returns. The
 * former content stays visible until the new one is read. Needs the ports records, blobs, queue and models. Throws
 * VALIDATION_ERROR for empty content and for secrets that the policy refuses, CONFLICT after too many concurrent changes.
 */
export async function ingest(runtime: OrgRuntime, draft: SourceDraft): Promise<Ingested> {
  const { labels, given } = await admitDraft(runtime, labelsOf(draft), draft.content);
  const content = await examine(given);
  const file = draft.replaces_same_name ? fileNameOf(content) : undefined;
  const identity = identityOf(labels, file === undefined ? { content_hash: content.hash } : { file });
  const start = async () => {
    const state = await readByIdentity(runtime.ports.records, runtime.org, identity);
    const source = state?.source;
    if (source && isUnchanged(runtime, state, labels, content.hash)) return { source, outcome: "unchanged" } as const;
    const result = await begin(runtime, { draft, labels, content, identity }, state);
    return { ...result, outcome: source ? "updated" : "created" } as const;
  };
  const started = await retryOnConflict(start, { exhausted: () => beingChanged("source") });
  if (started.outcome === "unchanged") return started;
  // Nothing else enqueues these jobs: the reader of the abandoned content only stops, and its message may be lost.
  await enqueueRemovals(runtime, started.abandoned);
  return { source: await readOrQueue(runtime, started.ingestion, content), outcome: started.outcome };
}

// ---------------------------------------------------------------- input

interface Examined {
  hash: string;
  given: { text: string; title?: string | undefined } | { bytes: Uint8Array; file: Omit<SourceFile, "blob"> };
}

/**
 * Returns the labels without secrets, and a text as it may be stored: under `redact` without them, under `mask` as sent,
 * because its chunks are admitted when it is read. Files are admitted then too.
 */
async function admitDraft(runtime: OrgRuntime, labels: SourceLabels, content: GivenContent) {
  const { user_id, metadata, title } = labels;
  const given = "text" in content ? content.text : "";
  const admitted = await admit(runtime, { content: given, metadata, in_reply_to: title, user_id });
  const { text, detection } = admitted;
  if (detection?.policy === "redact") await recordDetection(runtime, detection);
  const own = {
    ...labels,
    ...(text.metadata && { metadata: text.metadata }),
    ...(text.in_reply_to !== undefined && { title: text.in_reply_to }),
  };
  const isKept = !("text" in content) || text.sent !== undefined;
  return { labels: own, given: isKept ? content : { ...content, text: text.content } };
}

async function examine(content: GivenContent): Promise<Examined> {
  if ("text" in content) {
    const text = content.text.toWellFormed();
    if (text.trim() === "") throw invalid({ field: "content", problem: "must not be empty" });
    return { hash: sha256(text), given: { text, title: content.title } };
  }
  const { bytes, name, content_type: declared } = content.file;
  if (bytes.byteLength === 0) throw invalid({ field: "file", problem: "is empty" });
  const { kind, content_type } = await sniff(bytes.subarray(0, SNIFFED_BYTES), { name, declared });
  const file = { name: fileName(name), kind, content_type, bytes: bytes.byteLength };
  return {
    hash: sha256(bytes),
    given: { bytes, file: declared === undefined ? file : { ...file, declared_type: declared } },
  };
}

/** Whether the same content with the same labels is being read or is already visible. */
function isUnchanged(
  runtime: OrgRuntime,
  { source, ingestion }: SourceWithJobs,
  labels: SourceLabels,
  hash: string,
): boolean {
  if (ingestion) return ingestion.input.content_hash === hash && labelsUnchanged(labels, ingestion.input.labels);
  return source !== undefined && hasContent(runtime, source, hash) && labelsUnchanged(labels, source);
}

// ---------------------------------------------------------------- start

interface IngestionStart {
  draft: Pick<SourceDraft, "type" | "created_by">;
  labels: SourceLabels;
  content: Examined;
  identity: string;
}

/** Stores the content and its reading job. Throws ConditionFailedError after a concurrent change of the source. */
async function begin(
  runtime: OrgRuntime,
  { draft, labels, content, identity }: IngestionStart,
  state: SourceWithJobs | undefined,
): Promise<{ ingestion: Job<"ingest_source">; abandoned: Job<"remove_source">[] }> {
  const before = state?.source;
  const source = before
    ? nextContent(runtime, before)
    : newSource(runtime, { ...draft, name: fileNameOf(content) }, labels, identity);
  const stored = await storeGiven(runtime, source, content.given);
  const ingestion = newIngestion(runtime, source, {
    ...draft,
    labels: { ...(before && ownLabels(before)), ...labels },
    content_hash: content.hash,
    content: stored,
  });
  const after = { ...source, ingestion_id: ingestion.id };
  const abandoned = abandonReading(runtime, state?.ingestion);
  const writes = before
    ? [replaceSource(before, after), ...abandoned.writes]
    : [putSource(after, "absent"), claimIdentity(runtime.org, identity, source.id)];
  // After any other error, the write may have succeeded; its record then names the blob.
  await writeOrThrow(runtime, [...writes, insertJob(ingestion)], async (conflict) => {
    await dropBlobs(runtime, blobsOf({ content: stored }));
    return conflict;
  });
  return { ingestion, abandoned: abandoned.removals };
}

function fileNameOf({ given }: Examined): string | undefined {
  return "file" in given ? given.file.name : undefined;
}

/** Stores the content under a unique key, before the record that names it. */
async function storeGiven(
  runtime: OrgRuntime,
  source: Source,
  given: Examined["given"],
): Promise<Ingestion["content"]> {
  const key = blobKey(source, "file" in given ? given.file.name : "text");
  if ("text" in given) {
    const text = await storeContent(runtime, key, given.text);
    return given.title === undefined ? { text } : { text, title: given.title };
  }
  await runtime.ports.blobs.put(key, { bytes: given.bytes, contentType: given.file.content_type });
  return { file: { ...given.file, blob: key } };
}

// ---------------------------------------------------------------- reading

/** Reads short content now and queues longer content. Returns the source in its state after that. */
async function readOrQueue(runtime: OrgRuntime, job: Job<"ingest_source">, { given }: Examined): Promise<Source> {
  const message = messageOf(job);
  const handler = ingestSource("bytes" in given ? { bytes: given.bytes } : {});
  const read = () => runJob(runtime, [handler], message, Number.POSITIVE_INFINITY);
  if (isShort(runtime, given)) await runtime.ports.queue.working(INGEST_QUEUE, message, read);
  else await enqueueJob(runtime, job);
  const { source } = await readSource(runtime.ports.records, runtime.org, job.input.source_id);
  if (!source) throw new ServiceError("CONFLICT", "The source was deleted while it was ingested.");
  return source;
}

function isShort(runtime: OrgRuntime, given: Examined["given"]): boolean {
  if ("text" in given) return Buffer.byteLength(given.text) <= READ_AT_ONCE.text;
  const { kind, bytes } = given.file;
  if (kind === "pdf") return false;
  if (kind === "html") return bytes <= READ_AT_ONCE.html;
  if (kind === "image") return !isRead(runtime, given.file);
  return isRead(runtime, given.file) ? bytes <= READ_AT_ONCE.text : true;
}
