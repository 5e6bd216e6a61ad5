import { CHAIN_KIND, SKILL_KIND } from "../../../shared/domain/agents/skills/records.ts";
import { MEMORY_KIND } from "../../../shared/domain/memory/memory-keys.ts";
import type { ChangeConsumer, RecordChange } from "../../../shared/ports/changes.ts";
import type { WorkerManifest } from "../../../shared/ports/manifest.ts";
import { MAINTENANCE_QUEUE, READ_QUEUE, sendsTo } from "../../../shared/ports/queues.ts";
import type { Runtime } from "../../../shared/runtime/context.ts";
import { createMemoryIndexer } from "./memories.ts";
import { createSkillIndexer, removeChainHistories } from "./skills.ts";

export const worker: WorkerManifest = {
  name: "index-memories",
  // As many as are embedded at once: under a quota of the model, a batch of a hundred fails as a whole again and again.
  source: { stream: { kinds: ["memory", "skill"], partSize: 8 } },
  capabilities: ["records", "search", "blobs", "embedder", "reader", ...sendsTo(READ_QUEUE, MAINTENANCE_QUEUE)],
  memoryMb: 512,
  timeoutSeconds: 60,
};

/** Creates the consumer that updates the search index: one reader of the feed, which supports two. */
export function createChangeConsumer(runtime: Runtime): ChangeConsumer {
  const indexMemories = createMemoryIndexer(runtime);
  const indexSkills = createSkillIndexer(runtime);
  return async (changes) => {
    const byKind = Map.groupBy(changes, kindOf);
    await indexMemories(byKind.get(MEMORY_KIND) ?? []);
    await indexSkills(byKind.get(SKILL_KIND) ?? []);
    await removeChainHistories(runtime, byKind.get(CHAIN_KIND) ?? []);
  };
}

function kindOf({ before, after }: RecordChange): string | undefined {
  return (after ?? before)?.kind;
}
