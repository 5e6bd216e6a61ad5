import { setOf } from "../../kernel/strings.ts";
import { isChunk } from "./chunk-ids.ts";
import type { Memory } from "./memory.ts";

/** Words in the names of metadata fields of texts that the user did not write or say. */
const FOREIGN =
  setOf(`source tool url uri href link file filename document doc email mail subject message thread channel connection connector provider
   page chunk quoted quote forwarded forward transcript citation attachment website webpage crawled scraped retrieved rag snippet result
   results plugin mime`);
/** Words in the names of metadata fields that name the speaker, and those that may stand beside them. */
const SPEAKER = setOf("speaker role author from sender actor");
const BESIDE_SPEAKER = setOf("id name role type original by is message msg");
/** Words in the names of metadata fields whose value is a type of text. */
const TYPE = setOf("type kind format class medium modality genre");
const FOREIGN_TYPE =
  /source|chunk|document|tool|function|e-?mail|web|page|html|pdf|file|assistant|system|quot|forward|summary|transcript|result|snippet|citation|attachment|retriev|scrap|crawl/i;
const USERS = new Set(["user", "human", "the user"]);
/** Fields of the service itself that say nothing about the origin. */
const NEUTRAL = new Set(["message_index", "session_id", "occurred_at"]);
const MAX_DEPTH = 4;

type Written = Pick<Memory, "id" | "metadata" | "type" | "agent_id" | "is_foreign">;

/**
 * Whether a memory is by the user: its id, type and metadata name no other origin, in whatever spelling, and an agent's
 * key stored it only with the role `user`. False in doubt, because what a user says is trusted permanently.
 */
export function isByUser(memory: Written): boolean {
  const { id, metadata, type = "", is_foreign } = memory;
  if (is_foreign || isChunk(id) || !id.startsWith("mem_") || FOREIGN_TYPE.test(type)) return false;
  return !isHearsay(memory) && !namesOrigin(metadata, [], 0);
}

/** Whether an agent tells what it heard: its key stored the memory, and the metadata do not name the user as speaker. */
export function isHearsay({ agent_id, metadata }: Pick<Memory, "agent_id" | "metadata">): boolean {
  const { role = metadata.speaker } = metadata;
  return agent_id !== undefined && !(typeof role === "string" && USERS.has(role.toLowerCase()));
}

/** Whether any field, at any depth, names an origin other than the user. */
function namesOrigin(fields: object, outer: string[], depth: number): boolean {
  return Object.entries(fields).some(([name, value]) => {
    if (value === null || value === false || NEUTRAL.has(wordsOf(name).join("_"))) return false;
    const words = [...outer, ...wordsOf(name)];
    if (words.some((word) => FOREIGN.has(word))) return true;
    if (typeof value === "object" && depth < MAX_DEPTH) return namesOrigin(value, words, depth + 1);
    const text = String(value).toLowerCase();
    if (words.some((word) => TYPE.has(word)) && FOREIGN_TYPE.test(text)) return true;
    return isSpeakerField(words) && !USERS.has(text);
  });
}

function isSpeakerField(words: string[]): boolean {
  return (
    words.some((word) => SPEAKER.has(word)) && words.every((word) => SPEAKER.has(word) || BESIDE_SPEAKER.has(word))
  );
}

/** Returns the words of a field's name in lower case: camelCase, snake_case, kebab-case and dots separate them. */
function wordsOf(name: string): string[] {
  return name
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== "");
}
