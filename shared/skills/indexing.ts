import type { Embedder, SearchDocument } from "../platform/ports.ts";
import { skillsPartition } from "../retrieval/partitions.ts";
import type { Skill } from "./skill.ts";

/** What a skill is found by: when it applies, with the examples of that. */
function searchedText({ trigger, examples }: Pick<Skill, "trigger" | "examples">): string {
  return [trigger, ...examples].join("\n");
}

/** What the search index holds of skills. */
export async function toSkillDocuments(embedder: Embedder, skills: Skill[]): Promise<SearchDocument[]> {
  if (skills.length === 0) return [];
  const embeddings = await embedder.embed(skills.map(searchedText), { purpose: "passage" });
  return skills.flatMap((skill, place) => {
    const embedding = embeddings[place];
    return embedding ? [toSkillDocument(skill, embedding)] : [];
  });
}

/** One document a version: what is shown of a skill that was found is read by its id. */
function toSkillDocument(skill: Skill, embedding: Float32Array): SearchDocument {
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
