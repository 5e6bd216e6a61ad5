import { insertJob } from "../jobs/records.ts";
import { notFound, ServiceError } from "../kernel/errors.ts";
import { findMemory, removeMemory } from "../memory/records.ts";
import type { OrgHome } from "../platform/context.ts";
import { writeUnlessChanged } from "../platform/unless-changed.ts";
import { abandonReading, abandonUpload } from "./beginning.ts";
import { readSource, releaseIdentity, removeSource } from "./records.ts";
import { blobsInView, removalOf, removeSoon } from "./removal.ts";
import type { Source } from "./source.ts";

const MAX_ATTEMPTS = 8;

/**
 * Deletes a source with its memory, its chunks, also those that were edited since, and its files. All of it is gone from
 * every read and search at once; what it took in the stores goes then or, where it is much, soon after. Throws
 * SOURCE_NOT_FOUND, CONFLICT where others keep changing the source.
 */
export async function deleteSource(home: OrgHome, id: string): Promise<Source> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const { source, ingestion, upload } = await readSource(home.ports.records, home.org, id);
    if (!source) throw notFound("source", id);
    const memory = await findMemory({ ...home, viewer: undefined }, id);
    const inView = { chunks: source.chunk_count, blobs: blobsInView(source) };
    const removals = removalOf(home, { ...source, source_id: id }, inView);
    const [reading, link] = [abandonReading(home, ingestion), abandonUpload(home, upload)];
    const isGone = await writeUnlessChanged(
      home,
      removeSource(source),
      ...(source.identity === undefined ? [] : [releaseIdentity(source.org, source.identity, id)]),
      ...(memory ? removeMemory(memory) : []),
      ...removals.map(insertJob),
      ...reading.writes,
      ...link.writes,
    );
    if (!isGone) continue;
    await removeSoon(home, [...removals, ...reading.removals, ...link.removals]);
    return source;
  }
  throw new ServiceError("CONFLICT", "Others keep changing this source. Try again.", { source_id: id });
}
