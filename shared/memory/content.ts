import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { sha256 } from "../kernel/digest.ts";
import { ServiceError } from "../kernel/errors.ts";
import type { Context } from "../platform/context.ts";

/** Longest content, in UTF-8 bytes, that stays in its record; longer ones go to the blob store. */
const MAX_INLINE_BYTES = 64 * 1024;

const PLAIN = "text/plain; charset=utf-8";
const PACKED = "application/gzip";

const CONTENT_KEY = /^content\/[^/]+\/[^/]+\/[0-9a-f]{64}$/;

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Content as a record holds it: in place, or as the key of a blob. */
export type StoredContent = { content: string } | { content_blob: string };

type BlobOwner = Pick<Context, "ports">;

/**
 * Where a content of a memory goes when it leaves its record. Named by what it is: of two writes that race for one
 * version, the one that loses must not replace what the other put.
 */
export function contentKey({ org, id }: { org: string; id: string }, content: string): string {
  return `content/${org}/${id}/${sha256(content)}`;
}

/** Whether a key names its content by the content's hash, as `contentKey` does. */
export function isContentKey(key: string): boolean {
  return CONTENT_KEY.test(key);
}

/** Puts long content where it belongs. A blob is written before the record that names it, so none ever dangles. */
export async function storeContent(owner: BlobOwner, key: string, content: string): Promise<StoredContent> {
  const bytes = Buffer.from(content, "utf8");
  if (bytes.byteLength <= MAX_INLINE_BYTES) return { content };
  await owner.ports.blobs.put(key, { bytes, contentType: PLAIN });
  return { content_blob: key };
}

/**
 * Puts content of any length into the blob store, packed without loss if `packed`. Under the key that it has there
 * already it takes the place of what was, which reads the same: nobody on the way to it finds nothing.
 */
export async function archiveContent(owner: BlobOwner, key: string, content: string, packed: boolean): Promise<void> {
  const bytes = Buffer.from(content, "utf8");
  const blob = packed ? { bytes: await pack(bytes), contentType: PACKED } : { bytes, contentType: PLAIN };
  await owner.ports.blobs.put(key, blob);
}

/**
 * A record names a blob that is missing or damaged. The record of a memory deleted since does so too. Where nobody
 * handles it, the answer names what the content belongs to.
 */
export class ContentMissing extends ServiceError {
  constructor(key: string) {
    const [, , id = ""] = key.split("/");
    const message = `The content of '${id}' is missing or damaged in the blob store. A sync of the component 'blobs' restores it where another copy is left.`;
    super("CONTENT_UNAVAILABLE", message, { id });
    this.name = "ContentMissing";
  }
}

/** Throws CONTENT_UNAVAILABLE for what was read without its content. */
export function requireContent(read: { id: string; content_missing?: true | undefined }): void {
  if (read.content_missing) throw new ContentMissing(`content//${read.id}`);
}

/** The content itself. Throws ContentMissing for a blob that is missing, or holds another content than its key names. */
export async function loadContent(owner: BlobOwner, stored: StoredContent): Promise<string> {
  if (!("content_blob" in stored)) return stored.content;
  const blob = await owner.ports.blobs.get(stored.content_blob);
  if (!blob) throw new ContentMissing(stored.content_blob);
  const bytes = blob.contentType === PACKED ? await unpacked(stored.content_blob, blob.bytes) : Buffer.from(blob.bytes);
  const content = bytes.toString("utf8");
  if (!isNamedBy(stored.content_blob, content)) throw new ContentMissing(stored.content_blob);
  return content;
}

async function unpacked(key: string, bytes: Uint8Array): Promise<Buffer> {
  try {
    return await unpack(bytes);
  } catch {
    throw new ContentMissing(key);
  }
}

/** Whether a content is what its key says; keys without a hash, as those of archives, say nothing of it. */
function isNamedBy(key: string, content: string): boolean {
  return !isContentKey(key) || key.endsWith(sha256(content));
}
