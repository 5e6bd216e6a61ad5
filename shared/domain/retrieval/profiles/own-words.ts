import { isChunk } from "../../memory/chunk-ids.ts";
import { OwnVoice } from "../../memory/extraction/voice/voices.ts";
import type { Memory } from "../../memory/memory.ts";

/** Metadata fields that name the speaker, in the usual spellings. */
const SPEAKER_FIELDS = ["speaker", "role", "author", "from", "sender", "actor", "actor_id"];
const USER_ROLES = new Set(["user", "human"]);
/** Metadata fields of texts that the user did not write or say. */
const FOREIGN_FIELD =
  /^(?:source|tool|url|uri|link|file|document|email|mail|subject|message|thread|channel|connection|connector|provider|page|chunk)(?:$|_)/i;
const OWN_FIELDS = new Set(["message_index"]);
const FOREIGN_TYPE = /source|chunk|document|tool|function|e-?mail|web|page|file|assistant|system|quote|summary/i;

export interface Span {
  start: number;
  end: number;
}

type Spoken = Pick<Memory, "id" | "content" | "metadata" | "type">;

/**
 * Whether the user says a passage of a memory: the memory is the user's, and the passage is in the user's own voice.
 * False in doubt, because accepted instructions are followed permanently.
 */
export function isOwnWords(memory: Spoken, { start }: Span): boolean {
  return isOfUser(memory) && new OwnVoice(memory.content).foreignAt(start) === undefined;
}

function isOfUser({ id, metadata, type = "" }: Spoken): boolean {
  if (isChunk(id) || !id.startsWith("mem_") || FOREIGN_TYPE.test(type)) return false;
  return Object.entries(metadata).every(([name, value]) => {
    if (value === null || value === false || OWN_FIELDS.has(name)) return true;
    const isOthers = SPEAKER_FIELDS.includes(name.toLowerCase()) && !isUser(value);
    return !isOthers && !FOREIGN_FIELD.test(name);
  });
}

function isUser(value: unknown): boolean {
  return typeof value === "string" && (USER_ROLES.has(value.toLowerCase()) || value === "the user");
}
