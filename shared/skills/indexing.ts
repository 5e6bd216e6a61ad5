import type { Ports, SearchDocument, SearchSource } from "../platform/ports.ts";
import { embedDocuments } from "../retrieval/embed-documents.ts";
import { skillsPartition } from "../retrieval/partitions.ts";
import type { Skill } from "./skill.ts";

/** What a skill is found by: when it applies, with the examples of that. */
function searchedText({ trigger, examples }: Pick<Skill, "trigger" | "examples">): string {
  return [trigger, ...examples].join("\n");
}

/** What the search index holds of skills. */
export function toSkillDocuments(
  ports: Pick<Ports, "embedder" | "search">,
  skills: Skill[],
): Promise<SearchDocument[]> {
  return embedDocuments(ports, skills.map(toSkillSource));
}

/** One document a version: what is shown of a skill that was found is read by its id. */
function toSkillSource(skill: Skill): SearchSource {
  const { org, id, version, domain, created_at, updated_at } = skill;
  return {
    org: skillsPartition(org),
    id,
    version,
    content: searchedText(skill),
    category: domain,
    metadata: {},
    entity_ids: [],
    created_at,
    updated_at,
    original_tokens: 0,
    compressed_tokens: 0,
    processing_ms: 0,
  };
}
