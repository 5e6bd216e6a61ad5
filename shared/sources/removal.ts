import { timestamp } from "../kernel/clock.ts";
import type { StoredContent } from "../memory/content.ts";
import { memoryKey } from "../memory/records.ts";
import type { OrgHome } from "../platform/context.ts";
import type { Write } from "../platform/ports.ts";
import { chunkId } from "./chunk-ids.ts";
import { announce } from "./queue.ts";
import { dropRemoval } from "./records.ts";
import type { Ingestion, Removal, Source } from "./source.ts";

const CHUNKS_A_WRITE = 100;
/** Removed before the answer; more is left to the workers, out of view already. */
const REMOVED_AT_ONCE = 200;

/** Blobs of a content, those of its text included. */
export function blobsOf({ content, reading }: Pick<Ingestion, "content" | "reading">): string[] {
  const file = "file" in content ? [content.file.blob] : [];
  return [...file, ...textBlobs("text" in content ? content.text : undefined), ...textBlobs(reading?.text)];
}

function textBlobs(stored: StoredContent | undefined): string[] {
  return stored && "content_blob" in stored ? [stored.content_blob] : [];
}

/** Blobs of the content that a source has in view. */
export function blobsInView({ file, text_blob }: Source): string[] {
  return [file?.blob, text_blob].filter((blob) => blob !== undefined);
}

/** A note that chunks of one content, and its blobs, are to go; belongs into the write that takes them out of view. */
export function removalOf(
  { clock }: Pick<OrgHome, "clock">,
  { org, source_id, generation }: Pick<Ingestion, "org" | "source_id" | "generation">,
  { chunks, blobs }: Pick<Removal, "chunks" | "blobs">,
): Removal {
  return { org, source_id, generation, chunks, blobs, queued_at: timestamp(clock()) };
}

export function isNothing({ chunks, blobs }: Removal): boolean {
  return chunks === 0 && blobs.length === 0;
}

/** Removes what is out of view: now if it is little, else by the workers. */
export async function removeSoon(home: OrgHome, removals: Removal[]): Promise<void> {
  const little = removals.filter(({ chunks }) => chunks <= REMOVED_AT_ONCE);
  for (const removal of little) await carryOutRemoval(home, removal);
  const [much] = removals.filter((removal) => !little.includes(removal));
  if (much) await announce(home, much);
}

/** Repeating it, or going on after a break, removes what is left. */
export async function carryOutRemoval({ ports }: OrgHome, removal: Removal): Promise<void> {
  const { org, source_id, generation, chunks, blobs } = removal;
  for (let first = 0; first < chunks; first += CHUNKS_A_WRITE) {
    const positions = Array.from({ length: Math.min(CHUNKS_A_WRITE, chunks - first) }, (_, place) => first + place);
    const ids = positions.map((position) => chunkId({ source_id, generation, position }));
    await ports.records.write(...ids.map((id): Write => ({ delete: memoryKey(org, id) })));
  }
  await dropBlobs({ ports }, blobs);
  await ports.records.write(dropRemoval(removal));
}

export async function dropBlobs({ ports }: Pick<OrgHome, "ports">, blobs: string[]): Promise<void> {
  for (const blob of blobs) await ports.blobs.delete(blob);
}
