import { notFound, ServiceError } from "../../../kernel/errors.ts";
import { tryWrite } from "../../../ports/try-write.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import { insertJob } from "../../../runtime/jobs/records.ts";
import { findMemory, removeMemory } from "../../memory/records.ts";
import { abandonReading, abandonUpload } from "./new-source.ts";
import { readSource, releaseIdentity, removeSource } from "./records.ts";
import { blobsInView, removalOf, removeSoon } from "./removal.ts";
import type { Source } from "./source.ts";

const MAX_ATTEMPTS = 8;

/**
 * Deletes a source with its memory, its chunks, including edited ones, and its files. Everything disappears from reads
 * and searches at once; stored data is deleted then or, if it is much, soon after. Throws SOURCE_NOT_FOUND, CONFLICT
 * after too many concurrent changes.
 */
export async function deleteSource(runtime: OrgRuntime, id: string): Promise<Source> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const { source, ingestion, upload } = await readSource(runtime.ports.records, runtime.org, id);
    if (!source) throw notFound("source", id);
    const memory = await findMemory({ ...runtime, viewer: undefined }, id);
    const inView = { chunks: source.chunk_count, blobs: blobsInView(source) };
    const removals = removalOf(runtime, { ...source, source_id: id }, inView);
    const [reading, link] = [abandonReading(runtime, ingestion), abandonUpload(runtime, upload)];
    const isGone = await tryWrite(
      runtime,
      removeSource(source),
      ...(source.identity === undefined ? [] : [releaseIdentity(source.org, source.identity, id)]),
      ...(memory ? removeMemory(memory) : []),
      ...removals.map(insertJob),
      ...reading.writes,
      ...link.writes,
    );
    if (!isGone) continue;
    await removeSoon(runtime, [...removals, ...reading.removals, ...link.removals]);
    return source;
  }
  throw new ServiceError("CONFLICT", "The source is being changed by other requests. Try again.", { source_id: id });
}
