import type { SearchDocument } from "../platform/ports.ts";
import { skillsPartition } from "../retrieval/partitions.ts";
import type { Skill } from "./skill.ts";

/** What a skill is found by: when it applies, with the examples of that. */
export function searchedText({ trigger, examples }: Pick<Skill, "trigger" | "examples">): string {
  return [trigger, ...examples].join("\n");
}

/** One document a version: what is shown of a skill that was found is read by its id. */
export function toSkillDocument(skill: Skill, embedding: Float32Array): SearchDocument {
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
    embedding,
  };
}
