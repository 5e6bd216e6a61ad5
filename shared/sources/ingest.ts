import type { Job } from "../jobs/job.ts";
import { enqueueJob, messageOf } from "../jobs/queue.ts";
import { insertJob } from "../jobs/records.ts";
import { runJob } from "../jobs/run.ts";
import { sha256 } from "../kernel/digest.ts";
import { invalid, ServiceError } from "../kernel/errors.ts";
import { storeContent } from "../memory/content.ts";
import type { OrgHome } from "../platform/context.ts";
import { ConditionFailed } from "../platform/errors.ts";
import { INGEST_QUEUE } from "../platform/queues.ts";
import {
  abandonReading,
  holds,
  labelsOf,
  newIngestion,
  newSource,
  nextContent,
  ownLabels,
  saysNothingNew,
} from "./beginning.ts";
import { SNIFFED_BYTES, sniff } from "./extraction/sniff.ts";
import { blobKey, fileName } from "./file-names.ts";
import { isRead } from "./material.ts";
import {
  claimIdentity,
  findByIdentity,
  identityOf,
  putSource,
  readSource,
  replaceSource,
  type SourceWithJobs,
} from "./records.ts";
import { blobsOf, dropBlobs, removeSoon } from "./removal.ts";
import type { GivenContent, Ingested, Ingestion, Source, SourceDraft, SourceFile, SourceLabels } from "./source.ts";
import { ingestSource } from "./work.ts";

/** What is read before the answer, in bytes of the text or the file; longer ones are answered at once and read by the workers. */
const READ_AT_ONCE = { text: 128 * 1024, html: 1024 * 1024 } as const;
/** How often a draft is tried to be begun whose source others keep changing. */
const MAX_ATTEMPTS = 8;

/**
 * Takes a source in: begins to read its content unless its source has just that, and reads it to the end where it is short.
 * What the source held before stays in view until then. Whoever calls it needs the ports records, blobs, queue and models.
 * Throws VALIDATION_ERROR for a content that is empty, CONFLICT where others keep changing the source.
 */
export async function ingest(home: OrgHome, draft: SourceDraft): Promise<Ingested> {
  const labels = labelsOf(draft);
  const content = await examine(draft.content);
  const file = draft.replaces_same_name ? nameIn(content) : undefined;
  const identity = identityOf(labels, file === undefined ? { content_hash: content.hash } : { file });
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const known = await findByIdentity(home.ports.records, home.org, identity);
    const state = known === undefined ? undefined : await readSource(home.ports.records, home.org, known);
    if (state?.source && isUnchanged(state, labels, content.hash))
      return { source: state.source, outcome: "unchanged" };
    const begun = await begin(home, { draft, labels, content, identity }, state);
    if (!begun) continue;
    // Nobody else may come by: who reads the abandoned content just stops, and its message may be gone.
    await removeSoon(home, begun.abandoned);
    const outcome = state?.source ? "updated" : "created";
    return { source: await readOrQueue(home, begun.ingestion, content), outcome };
  }
  throw new ServiceError("CONFLICT", "Others keep changing this source. Try again.");
}

// ---------------------------------------------------------------- what is given

interface Examined {
  hash: string;
  given: { text: string; title?: string | undefined } | { bytes: Uint8Array; file: Omit<SourceFile, "blob"> };
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

/** The same content, being read or in view, and nothing said of it that is not so already. */
function isUnchanged({ source, ingestion }: SourceWithJobs, labels: SourceLabels, hash: string): boolean {
  if (ingestion) return ingestion.input.content_hash === hash && saysNothingNew(labels, ingestion.input.labels);
  return source !== undefined && holds(source, hash) && saysNothingNew(labels, source);
}

// ---------------------------------------------------------------- beginning

interface Beginning {
  draft: Pick<SourceDraft, "type" | "created_by">;
  labels: SourceLabels;
  content: Examined;
  identity: string;
}

/** Undefined where somebody else began, changed or removed the source in the meantime. */
async function begin(
  home: OrgHome,
  { draft, labels, content, identity }: Beginning,
  state: SourceWithJobs | undefined,
): Promise<{ ingestion: Job<"ingest_source">; abandoned: Job<"remove_source">[] } | undefined> {
  const before = state?.source;
  const source = before
    ? nextContent(home, before)
    : newSource(home, { ...draft, name: nameIn(content) }, labels, identity);
  const stored = await storeGiven(home, source, content.given);
  const ingestion = newIngestion(home, source, {
    ...draft,
    labels: { ...(before && ownLabels(before)), ...labels },
    content_hash: content.hash,
    content: stored,
  });
  const after = { ...source, ingestion_id: ingestion.id };
  const abandoned = abandonReading(home, state?.ingestion);
  const writes = before
    ? [replaceSource(before, after), ...abandoned.writes]
    : [putSource(after, "absent"), claimIdentity(home.org, identity, source.id)];
  try {
    await home.ports.records.write(...writes, insertJob(ingestion));
    return { ingestion, abandoned: abandoned.removals };
  } catch (error) {
    // After any other error the write may have been done all the same, and then names the blob.
    if (!(error instanceof ConditionFailed)) throw error;
    await dropBlobs(home, blobsOf({ content: stored }));
    return undefined;
  }
}

function nameIn({ given }: Examined): string | undefined {
  return "file" in given ? given.file.name : undefined;
}

/** What is given is stored before the record that names it, under a key of its own: nobody else's begin can touch it. */
async function storeGiven(home: OrgHome, source: Source, given: Examined["given"]): Promise<Ingestion["content"]> {
  const key = blobKey(source, "file" in given ? given.file.name : "text");
  if ("text" in given) {
    const text = await storeContent(home, key, given.text);
    return given.title === undefined ? { text } : { text, title: given.title };
  }
  await home.ports.blobs.put(key, { bytes: given.bytes, contentType: given.file.content_type });
  return { file: { ...given.file, blob: key } };
}

// ---------------------------------------------------------------- reading

/** Answers the source as it is then: complete where the content is short. */
async function readOrQueue(home: OrgHome, job: Job<"ingest_source">, { given }: Examined): Promise<Source> {
  const message = messageOf(job);
  const handler = ingestSource("bytes" in given ? { bytes: given.bytes } : {});
  const read = () => runJob(home, [handler], message, Number.POSITIVE_INFINITY);
  if (isShort(given)) await home.ports.queue.working(INGEST_QUEUE, message, read);
  else await enqueueJob(home, job);
  const { source } = await readSource(home.ports.records, home.org, job.input.source_id);
  if (!source) throw new ServiceError("CONFLICT", "The source was deleted while it was ingested.");
  return source;
}

function isShort(given: Examined["given"]): boolean {
  if ("text" in given) return Buffer.byteLength(given.text) <= READ_AT_ONCE.text;
  const { kind, bytes } = given.file;
  if (kind === "pdf") return false;
  if (kind === "html") return bytes <= READ_AT_ONCE.html;
  return isRead(given.file) ? bytes <= READ_AT_ONCE.text : true;
}
