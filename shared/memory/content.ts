import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { sha256 } from "../kernel/digest.ts";
import type { Context } from "../platform/context.ts";

/** Longest content, in UTF-8 bytes, that stays in its record; longer ones go to the blob store. */
const MAX_INLINE_BYTES = 64 * 1024;

const PLAIN = "text/plain; charset=utf-8";
const PACKED = "application/gzip";

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

/** A record names a blob that is not there, as the record of a memory deleted since does. */
export class ContentMissing extends Error {
  constructor(key: string) {
    super(`blob ${key} is missing`);
    this.name = "ContentMissing";
  }
}

/** The content itself. Throws ContentMissing. */
export async function loadContent(owner: BlobOwner, stored: StoredContent): Promise<string> {
  if (!("content_blob" in stored)) return stored.content;
  const blob = await owner.ports.blobs.get(stored.content_blob);
  if (!blob) throw new ContentMissing(stored.content_blob);
  const bytes = blob.contentType === PACKED ? await unpack(blob.bytes) : Buffer.from(blob.bytes);
  return bytes.toString("utf8");
}
