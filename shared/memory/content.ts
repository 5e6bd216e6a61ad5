import type { Context } from "../platform/context.ts";

/** Longest content, in UTF-8 bytes, that stays in its record; longer ones go to the blob store. */
const MAX_INLINE_BYTES = 64 * 1024;

/** Content as a record holds it: in place, or as the key of a blob. */
export type StoredContent = { content: string } | { content_blob: string };

type BlobOwner = Pick<Context, "ports">;

/** Puts long content where it belongs. A blob is written before the record that names it, so none ever dangles. */
export async function storeContent(owner: BlobOwner, key: string, content: string): Promise<StoredContent> {
  const bytes = Buffer.from(content, "utf8");
  if (bytes.byteLength <= MAX_INLINE_BYTES) return { content };
  await owner.ports.blobs.put(key, { bytes, contentType: "text/plain; charset=utf-8" });
  return { content_blob: key };
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
  return Buffer.from(blob.bytes).toString("utf8");
}
