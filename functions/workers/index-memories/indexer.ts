import { MEMORY_KIND } from "../../../shared/memory/records.ts";
import type { ChangeConsumer, RecordChange } from "../../../shared/platform/changes.ts";
import type { Home } from "../../../shared/platform/context.ts";
import { CHAIN_KIND } from "../../../shared/skills/chains.ts";
import { SKILL_KIND } from "../../../shared/skills/records.ts";
import { createMemoryIndexer } from "./service.ts";
import { createSkillIndexer, dropHistories } from "./skills.ts";

/** Makes what keeps the search index up with all that is searched: one reader of the feed, which bears two at most. */
export function createIndexer(home: Home): ChangeConsumer {
  const indexMemories = createMemoryIndexer(home);
  const indexSkills = createSkillIndexer(home);
  return async (changes) => {
    const byKind = Map.groupBy(changes, kindOf);
    await indexMemories(byKind.get(MEMORY_KIND) ?? []);
    await indexSkills(byKind.get(SKILL_KIND) ?? []);
    await dropHistories(home, byKind.get(CHAIN_KIND) ?? []);
  };
}

function kindOf({ before, after }: RecordChange): string | undefined {
  return (after ?? before)?.kind;
}
