import { OwnVoice } from "../../memory/extraction/voice/voices.ts";
import type { Memory } from "../../memory/memory.ts";
import { isByUser } from "../../memory/writer.ts";

export interface Span {
  start: number;
  end: number;
}

type Spoken = Pick<Memory, "id" | "content" | "metadata" | "type" | "agent_id" | "is_foreign">;

/**
 * Whether the user says a passage of a memory: the memory is the user's, and the passage is in the user's own voice.
 * False in doubt, because accepted instructions are followed permanently.
 */
export function isOwnWords(memory: Spoken, { start }: Span): boolean {
  return isByUser(memory) && new OwnVoice(memory.content).foreignAt(start) === undefined;
}
