import type { JobHandler } from "../jobs/handler.ts";
import { type Job, newJob } from "../jobs/job.ts";
import { enqueueJob, messageOf } from "../jobs/queue.ts";
import { runJob } from "../jobs/run.ts";
import type { StoredContent } from "../memory/content.ts";
import { memoryKey } from "../memory/records.ts";
import type { OrgHome } from "../platform/context.ts";
import type { Write } from "../platform/ports.ts";
import { chunkId } from "./chunk-ids.ts";
import type { Ingestion, RemovalInput, Source } from "./source.ts";

const CHUNKS_A_STEP = 99;
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

/**
 * A job by which chunks of one content, and its blobs, go; to be stored by the write that takes them out of view. None
 * where there is nothing to remove.
 */
export function removalOf(
  home: OrgHome,
  { source_id, generation, created_by: submitted_by }: Pick<Ingestion, "source_id" | "generation" | "created_by">,
  { chunks, blobs }: Pick<RemovalInput, "chunks" | "blobs">,
): Job<"remove_source">[] {
  if (chunks === 0 && blobs.length === 0) return [];
  const input = { source_id, generation, chunks, blobs };
  return [newJob(home, "remove_source", { input, checkpoint: { removed: 0 }, submitted_by })];
}

/** Removes what is out of view: now if it is little, else by the workers. */
export async function removeSoon(home: OrgHome, removals: Job<"remove_source">[]): Promise<void> {
  for (const removal of removals) {
    if (removal.input.chunks > REMOVED_AT_ONCE) await enqueueJob(home, removal);
    else await runJob(home, [removeSource], messageOf(removal), Number.POSITIVE_INFINITY);
  }
}

export const removeSource: JobHandler<"remove_source"> = {
  kind: "remove_source",
  async step(home, { job }) {
    const { source_id, generation, chunks, blobs } = job.input;
    const { removed } = job.checkpoint;
    const count = Math.min(CHUNKS_A_STEP, chunks - removed);
    const ids = Array.from({ length: count }, (_, place) =>
      chunkId({ source_id, generation, position: removed + place }),
    );
    const writes = ids.map((id): Write => ({ delete: memoryKey(job.org, id) }));
    const checkpoint = { removed: removed + count };
    if (checkpoint.removed < chunks) return { checkpoint, writes };
    await dropBlobs(home, blobs);
    return { end: "completed", checkpoint, writes };
  },
};

export async function dropBlobs({ ports }: Pick<OrgHome, "ports">, blobs: string[]): Promise<void> {
  for (const blob of blobs) await ports.blobs.delete(blob);
}
