import { notFound, ServiceError } from "../kernel/errors.ts";
import { findMemory, removeMemory } from "../memory/records.ts";
import type { OrgHome } from "../platform/context.ts";
import { ConditionFailed } from "../platform/errors.ts";
import {
  putRemoval,
  readSource,
  releaseIdentity,
  removeIngestion,
  removeSource,
  removeUpload,
  type SourceWithChores,
} from "./records.ts";
import { blobsInView, blobsOf, isNothing, removalOf, removeSoon } from "./removal.ts";
import type { Removal, Source } from "./source.ts";

const MAX_ATTEMPTS = 8;

/**
 * Deletes a source with its memory, its chunks, also those that were edited since, and its files. All of it is gone from
 * every read and search at once; what it took in the stores goes then or, where it is much, soon after. Throws
 * SOURCE_NOT_FOUND, CONFLICT where others keep changing the source.
 */
export async function deleteSource(home: OrgHome, id: string): Promise<Source> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const state = await readSource(home.ports.records, home.org, id);
    if (!state.source) throw notFound("source", id);
    const removals = removalsOf(home, state.source, state).filter((removal) => !isNothing(removal));
    try {
      await takeOut(home, state.source, state, removals);
    } catch (error) {
      if (error instanceof ConditionFailed) continue;
      throw error;
    }
    await removeSoon(home, removals);
    return state.source;
  }
  throw new ServiceError("CONFLICT", "Others keep changing this source. Try again.", { source_id: id });
}

async function takeOut(
  home: OrgHome,
  source: Source,
  { ingestion, upload }: SourceWithChores,
  removals: Removal[],
): Promise<void> {
  const memory = await findMemory({ ...home, viewer: undefined }, source.id);
  await home.ports.records.write(
    removeSource(source),
    ...(source.identity === undefined ? [] : [releaseIdentity(source.org, source.identity, source.id)]),
    ...(memory ? removeMemory(memory) : []),
    ...(ingestion ? [removeIngestion(ingestion)] : []),
    ...(upload ? [removeUpload(upload)] : []),
    ...removals.map(putRemoval),
  );
}

/** Of the content in view, of one that is being read, and of a file that may be on its way. */
function removalsOf(home: OrgHome, source: Source, { ingestion, upload }: SourceWithChores): Removal[] {
  const { org, id: source_id, generation, chunk_count } = source;
  const inView = removalOf(home, { org, source_id, generation }, { chunks: chunk_count, blobs: blobsInView(source) });
  return [
    inView,
    ...(ingestion ? [removalOf(home, ingestion, { chunks: ingestion.written, blobs: blobsOf(ingestion) })] : []),
    ...(upload ? [removalOf(home, upload, { chunks: 0, blobs: [upload.blob] })] : []),
  ];
}
