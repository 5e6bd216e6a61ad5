import type { IndexedVersion, Ports, SearchDocument, SearchSource } from "../platform/ports.ts";
import { embedDocuments } from "../retrieval/embed-documents.ts";
import { skillsPartition } from "../retrieval/partitions.ts";
import type { Skill } from "./skill.ts";

/** What a skill is found by, in sentences, which embedders read better than lines. */
function searchedText({ name, trigger, action, examples, tags }: Skill): string {
  const sentences = [name, trigger, ...examples, action, tags.join(", ")].flatMap((part) => part.trim() || []);
  return sentences.map((sentence) => (ENDED.test(sentence) ? sentence : `${sentence}.`)).join(" ");
}

const ENDED = /[.!?:;。！？]$/u;

/** Counts the forms of the searched text: a document of an earlier form is replaced by the next sync. */
const TEXT_FORM = 1;
/** Forms that there is room for in the version of a document. */
const MAX_FORMS = 16;

/** The version of a skill's document: it grows with that of the skill and, of the same one, with the form of the text. */
function documentVersion({ version }: Pick<Skill, "version">): number {
  return version * MAX_FORMS + TEXT_FORM;
}

/** Whether a document was made of the version that a skill has now; those of releases before had the skill's version. */
export function isOfCurrentVersion(document: Pick<SearchSource, "version">, skill: Pick<Skill, "version">): boolean {
  return document.version === skill.version || Math.floor(document.version / MAX_FORMS) === skill.version;
}

/** Which document the search index holds of a skill. */
export function documentOfSkill(skill: Pick<Skill, "org" | "id" | "version">): IndexedVersion {
  return { org: skillsPartition(skill.org), id: skill.id, version: documentVersion(skill) };
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
  const { domain, created_at, updated_at } = skill;
  return {
    ...documentOfSkill(skill),
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
