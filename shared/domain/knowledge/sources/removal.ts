import type { Write } from "../../../ports/record-store.ts";
import type { HasPorts, OrgRuntime } from "../../../runtime/context.ts";
import type { JobHandler } from "../../../runtime/jobs/handler.ts";
import { type Job, newJob } from "../../../runtime/jobs/job.ts";
import { enqueueJob, messageOf } from "../../../runtime/jobs/queue.ts";
import { runJob } from "../../../runtime/jobs/run.ts";
import { chunkId } from "../../memory/chunk-ids.ts";
import type { StoredContent } from "../../memory/content.ts";
import { memoryKey } from "../../memory/memory-keys.ts";
import { REMOVE_SOURCE_JOB } from "./job-kinds.ts";
import type { Ingestion, RemovalInput, Source } from "./source.ts";

const CHUNKS_PER_STEP = 99;
/** Maximum number of chunks deleted before the response. With more, the workers delete them; they are invisible. */
const REMOVED_AT_ONCE = 200;

/** Returns the keys of a content's blobs, including those of its text. */
export function blobsOf({ content, reading }: Pick<Ingestion, "content" | "reading">): string[] {
  const file = "file" in content ? [content.file.blob] : [];
  return [...file, ...textBlobs("text" in content ? content.text : undefined), ...textBlobs(reading?.text)];
}

function textBlobs(stored: StoredContent | undefined): string[] {
  return stored && "content_blob" in stored ? [stored.content_blob] : [];
}

/** Returns the keys of the blobs of a source's visible content. */
export function blobsInView({ file, text_blob }: Source): string[] {
  return [file?.blob, text_blob].filter((blob) => blob !== undefined);
}

/** Returns the job that deletes the chunks and blobs of one content; none if there is nothing to delete. */
export function removalOf(
  runtime: OrgRuntime,
  { source_id, generation, created_by: submitted_by }: Pick<Ingestion, "source_id" | "generation" | "created_by">,
  { chunks, blobs }: Pick<RemovalInput, "chunks" | "blobs">,
): Job<"remove_source">[] {
  if (chunks === 0 && blobs.length === 0) return [];
  const input = { source_id, generation, chunks, blobs };
  return [newJob(runtime, REMOVE_SOURCE_JOB, { input, checkpoint: { removed: 0 }, submitted_by })];
}

/** Deletes invisible contents: small ones immediately, larger ones by the workers. */
export async function enqueueRemovals(runtime: OrgRuntime, removals: Job<"remove_source">[]): Promise<void> {
  for (const removal of removals) {
    if (removal.input.chunks > REMOVED_AT_ONCE) await enqueueJob(runtime, removal);
    else await runJob(runtime, [removeSource], messageOf(removal), Number.POSITIVE_INFINITY);
  }
}

export const removeSource: JobHandler<"remove_source"> = {
  job: REMOVE_SOURCE_JOB,
  async step(runtime, { job }) {
    const { source_id, generation, chunks, blobs } = job.input;
    const { removed } = job.checkpoint;
    const count = Math.min(CHUNKS_PER_STEP, chunks - removed);
    const ids = Array.from({ length: count }, (_, index) =>
      chunkId({ source_id, generation, position: removed + index }),
    );
    const writes = ids.map((id): Write => ({ delete: memoryKey(job.org, id) }));
    const checkpoint = { removed: removed + count };
    if (checkpoint.removed < chunks) return { checkpoint, writes };
    await dropBlobs(runtime, blobs);
    return { end: "completed", checkpoint, writes };
  },
};

/** Deletes blobs; missing ones are ignored. */
export async function dropBlobs({ ports }: HasPorts, blobs: string[]): Promise<void> {
  for (const blob of blobs) await ports.blobs.delete(blob);
}
