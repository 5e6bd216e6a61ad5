import { notFound, succeeded } from "../../../kernel/errors.ts";
import { beingChanged, retryOnConflict } from "../../../ports/conflicts.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import { insertJob } from "../../../runtime/jobs/records.ts";
import { findMemory, removeMemory } from "../../memory/records.ts";
import { abandonReading, abandonUpload } from "./new-source.ts";
import { readSource, releaseIdentity, removeSource } from "./records.ts";
import { blobsInView, enqueueRemovals, removalOf } from "./removal.ts";
import type { Source } from "./source.ts";

/**
 * Deletes a source with its memory, its chunks, including edited ones, and its files. Everything disappears from reads
 * and searches at once; large amounts of stored data are deleted afterwards. Throws SOURCE_NOT_FOUND, and CONFLICT after
 * too many concurrent changes.
 */
export async function deleteSource(runtime: OrgRuntime, id: string): Promise<Source> {
  const remove = async () => {
    const { source, ingestion, upload } = await readSource(runtime.ports.records, runtime.org, id);
    if (!source) throw notFound("source", id);
    const memory = await findMemory({ ...runtime, viewer: undefined }, id);
    const inView = { chunks: source.chunk_count, blobs: blobsInView(source) };
    const removals = removalOf(runtime, { ...source, source_id: id }, inView);
    const [reading, link] = [abandonReading(runtime, ingestion), abandonUpload(runtime, upload)];
    await runtime.ports.records.write(
      removeSource(source),
      ...(source.identity === undefined ? [] : [releaseIdentity(source.org, source.identity, id)]),
      ...(memory ? removeMemory(memory) : []),
      ...removals.map(insertJob),
      ...reading.writes,
      ...link.writes,
    );
    return { source, removals: [...removals, ...reading.removals, ...link.removals] };
  };
  const { source, removals } = await retryOnConflict(remove, { exhausted: () => beingChanged("source", id) });
  await enqueueRemovals(runtime, removals);
  return source;
}

/** Returns false if the source was already deleted. */
export function deleteSourceIfExists(runtime: OrgRuntime, source_id: string): Promise<boolean> {
  return succeeded(deleteSource(runtime, source_id), "SOURCE_NOT_FOUND");
}
