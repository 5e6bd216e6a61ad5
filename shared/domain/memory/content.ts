import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { sha256 } from "../../kernel/digest.ts";
import { ServiceError } from "../../kernel/errors.ts";
import { fromItem } from "../../ports/item.ts";
import type { StoredRecord } from "../../ports/record-store.ts";
import type { Context } from "../../runtime/context.ts";
import { memoryOf } from "./memory-keys.ts";

/** Maximum UTF-8 bytes of content in a record; longer content goes to the blob store. */
const MAX_INLINE_BYTES = 64 * 1024;

const PLAIN = "text/plain; charset=utf-8";
const PACKED = "application/gzip";

const CONTENT_KEY = /^content\/[^/]+\/[^/]+\/[0-9a-f]{64}$/;

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Content in a record: inline, or as the key of a blob. */
export type StoredContent = { content: string } | { content_blob: string };

type BlobOwner = Pick<Context, "ports">;

/** Returns the blob key of a content. The key has its hash, so concurrent writes do not replace each other's blob. */
export function contentKey({ org, id }: { org: string; id: string }, content: string): string {
  return `content/${org}/${id}/${sha256(content)}`;
}

/** Whether a key contains the content's hash, as the keys of `contentKey` do. */
export function isContentKey(key: string): boolean {
  return CONTENT_KEY.test(key);
}

/** Stores long content as a blob. Precedes the write of the record, so that no record references a missing blob. */
export async function storeContent(owner: BlobOwner, key: string, content: string): Promise<StoredContent> {
  const bytes = Buffer.from(content, "utf8");
  if (bytes.byteLength <= MAX_INLINE_BYTES) return { content };
  await owner.ports.blobs.put(key, { bytes, contentType: PLAIN });
  return { content_blob: key };
}

/** Stores content of any length as a blob, compressed if `packed`. It replaces an equal blob, so readers find it. */
export async function archiveContent(owner: BlobOwner, key: string, content: string, packed: boolean): Promise<void> {
  const bytes = Buffer.from(content, "utf8");
  const blob = packed ? { bytes: await pack(bytes), contentType: PACKED } : { bytes, contentType: PLAIN };
  await owner.ports.blobs.put(key, blob);
}

/** A record references a missing or damaged blob. The error response contains the id of the resource. */
export class ContentMissingError extends ServiceError {
  constructor(key: string) {
    const [, , id = ""] = key.split("/");
    const message = `The content of '${id}' is missing or damaged in the blob store. To restore it from another copy, sync the component 'blobs'.`;
    super("CONTENT_UNAVAILABLE", message, { id });
    this.name = "ContentMissingError";
  }
}

/** Throws CONTENT_UNAVAILABLE for a resource whose content is missing. */
export function requireContent(resource: { id: string; content_missing?: true | undefined }): void {
  if (resource.content_missing) throw new ContentMissingError(`content//${resource.id}`);
}

/** Loads the content. Throws ContentMissingError if the blob is missing or does not match its key's hash. */
export async function loadContent(owner: BlobOwner, stored: StoredContent): Promise<string> {
  if (!("content_blob" in stored)) return stored.content;
  const blob = await owner.ports.blobs.get(stored.content_blob);
  if (!blob) throw new ContentMissingError(stored.content_blob);
  const throwMissing = () => {
    throw new ContentMissingError(stored.content_blob);
  };
  const bytes = blob.contentType === PACKED ? await unpack(blob.bytes).catch(throwMissing) : Buffer.from(blob.bytes);
  const content = bytes.toString("utf8");
  // A key without a hash, such as an archive's, matches any content.
  if (isContentKey(stored.content_blob) && !stored.content_blob.endsWith(sha256(content))) throwMissing();
  return content;
}

/**
 * Returns a record's value with its content and without the blob key, which would hide the next version's content. If
 * the content is missing, marks it by `content_missing`, or returns undefined if the memory was deleted meanwhile.
 */
export async function withContent<T extends { content: string; content_missing?: true }>(
  owner: Pick<Context, "ports">,
  record: StoredRecord,
): Promise<T | undefined> {
  const { content_blob, ...rest } = record;
  try {
    const content = await loadContent(owner, fromItem<StoredContent>(record));
    return fromItem<T>({ ...rest, content });
  } catch (error) {
    if (!(error instanceof ContentMissingError)) throw error;
    if (!(await owner.ports.records.get(memoryOf(record)))) return undefined;
    return fromItem<T>({ ...rest, content: "", content_missing: true });
  }
}
