import { skillsPartition } from "../../../ports/partitions.ts";
import type { Ports } from "../../../ports/ports.ts";
import type { IndexedVersion, SearchDocument, SearchSource } from "../../../ports/search-index.ts";
import { embedDocuments } from "../../models/embed-documents.ts";
import type { Skill, VersionName } from "./skill.ts";

/** The indexed text of a skill as sentences, which embedders handle better than lines. */
function searchedText({ name, trigger, action, examples, tags }: Skill): string {
  const sentences = [name, trigger, ...examples, action, tags.join(", ")].flatMap((part) => part.trim() || []);
  return sentences.map((sentence) => (ENDED.test(sentence) ? sentence : `${sentence}.`)).join(" ");
}

const ENDED = /[.!?:;。！？]$/u;

/** Version of the indexed text's form: the next sync replaces documents of an earlier form. */
const TEXT_FORM = 1;
/** Maximum number of forms within a document's version. */
const MAX_FORMS = 16;

/** The version of a skill's document: grows with the skill's version, then with the form of the text. */
function documentVersion({ version }: Pick<Skill, "version">): number {
  return version * MAX_FORMS + TEXT_FORM;
}

/** Whether a document belongs to the skill's current version; documents of earlier releases had the skill's version. */
export function isOfCurrentVersion(document: Pick<SearchSource, "version">, skill: Pick<Skill, "version">): boolean {
  return document.version === skill.version || Math.floor(document.version / MAX_FORMS) === skill.version;
}

/** The search document of a skill. */
export function documentOfSkill(skill: VersionName): IndexedVersion {
  return { org: skillsPartition(skill.org), id: skill.id, version: documentVersion(skill) };
}

/** The search documents of skills. */
export function toSkillDocuments(
  ports: Pick<Ports, "embedder" | "search">,
  skills: Skill[],
): Promise<SearchDocument[]> {
  return embedDocuments(ports, skills.map(toSkillSource));
}

/** One document per version; a found skill is read by its id. */
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
