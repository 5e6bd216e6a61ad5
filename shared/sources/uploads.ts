import { createHash } from "node:crypto";
import { timestamp } from "../kernel/clock.ts";
import { invalid, notFound, ServiceError } from "../kernel/errors.ts";
import type { OrgHome } from "../platform/context.ts";
import type { Write } from "../platform/ports.ts";
import { writeUnlessChanged } from "../platform/unless-changed.ts";
import { abandon, labelsOf, newIngestion, newSource, nextContent, ownLabels, saysNothingNew } from "./beginning.ts";
import { deleteSource } from "./delete.ts";
import { SNIFFED_BYTES, sniff } from "./extraction/sniff.ts";
import { blobKey, fileName } from "./file-names.ts";
import { announce } from "./queue.ts";
import {
  claimIdentity,
  findByIdentity,
  identityOf,
  putIngestion,
  putRemoval,
  putSource,
  putUpload,
  readSource,
  removeUpload,
  replaceSource,
  type SourceWithChores,
} from "./records.ts";
import { dropBlobs, removalOf, removeSoon } from "./removal.ts";
import type { Ingested, PendingUpload, Source, SourceFile, SourceLabels } from "./source.ts";

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
  const named = labels.external_id ?? labels.url;
  const identity = named === undefined ? undefined : identityOf(labels, "");
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const { records, blobs } = home.ports;
    const known = identity === undefined ? undefined : await findByIdentity(records, home.org, identity);
    const state = known === undefined ? undefined : await readSource(records, home.org, known);
    const begun = await begin(home, announced, labels, identity, state);
    if (!begun) continue;
    const url = await blobs.presign(begun.upload.blob, "put", UPLOAD_LINK_SECONDS);
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
  state: SourceWithChores | undefined,
): Promise<{ source: Source; upload: PendingUpload } | undefined> {
  const before = state?.source;
  const name = fileName(filename);
  const source: Source = before
    ? { ...before, last_generation: before.last_generation + 1 }
    : {
        ...newSource(home, { type: "upload", created_by, name }, labels, identity),
        status: "awaiting_upload",
      };
  const upload: PendingUpload = {
    org: home.org,
    source_id: source.id,
    generation: source.last_generation,
    labels,
    name,
    ...(content_type !== undefined && { content_type }),
    blob: blobKey(source, name),
    created_by,
    expires_at: timestamp(home.clock() + COMPLETED_WITHIN_MS),
  };
  const earlier = state?.upload;
  const writes: Write[] = before ? [replaceSource(before, source)] : [putSource(source, "absent")];
  if (!before && identity !== undefined) writes.push(claimIdentity(home.org, identity, source.id));
  if (earlier) writes.push(putRemoval(removalOf(home, earlier, { chunks: 0, blobs: [earlier.blob] })));
  return (await writeUnlessChanged(home, ...writes, putUpload(upload))) ? { source, upload } : undefined;
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
    const { file, content_hash } = await examine(home, upload);
    const isSame = source.content_hash === content_hash && saysNothingNew(upload.labels, source);
    if (isSame && source.status === "active") {
      if (!(await writeUnlessChanged(home, removeUpload(upload)))) continue;
      await dropBlobs(home, [upload.blob]);
      return { source, outcome: "unchanged" };
    }
    const after = { ...nextContent(home, source), last_generation: source.last_generation };
    if (!(await writeUnlessChanged(home, ...takingUp(home, state, source, after, { file, content_hash, upload }))))
      continue;
    await announce(home, upload);
    return { source: after, outcome: source.generation === 0 ? "created" : "updated" };
  }
  throw conflict("Others keep changing this source. Try again.");
}

function takingUp(
  home: OrgHome,
  { ingestion }: SourceWithChores,
  before: Source,
  after: Source,
  { file, content_hash, upload }: { file: SourceFile; content_hash: string; upload: PendingUpload },
): Write[] {
  const { generation, created_by, labels } = upload;
  const begun = newIngestion(
    home,
    { ...after, last_generation: generation },
    { type: "upload", labels: { ...ownLabels(before), ...labels }, content: { file }, content_hash, created_by },
  );
  return [
    replaceSource(before, after),
    removeUpload(upload),
    ...abandon(home, ingestion).map(putRemoval),
    putIngestion(begun, ingestion ?? "absent"),
  ];
}

/** What was sent, as far as its beginning and its bytes tell. */
async function examine(
  { ports }: OrgHome,
  { blob, name, content_type: declared }: PendingUpload,
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
export async function expireUpload(home: OrgHome, upload: PendingUpload): Promise<void> {
  const { source } = await readSource(home.ports.records, home.org, upload.source_id);
  if (source?.status === "awaiting_upload") {
    await deleteSource(home, source.id);
    return;
  }
  const removal = removalOf(home, upload, { chunks: 0, blobs: [upload.blob] });
  await home.ports.records.write(removeUpload(upload), putRemoval(removal));
  await removeSoon(home, [removal]);
}
