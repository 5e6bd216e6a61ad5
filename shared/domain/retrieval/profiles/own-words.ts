import { memoizedByText } from "../../../kernel/memoized.ts";
import { OwnVoice } from "../../../language/statements/voice/voices.ts";
import type { Memory } from "../../memory/memory.ts";
import { isByUser } from "../../memory/writer.ts";

export interface Span {
  start: number;
  end: number;
}

type Spoken = Pick<Memory, "id" | "content" | "metadata" | "type" | "agent_id" | "is_foreign">;

/** Characters of the texts whose voices are cached: each profile and recall judges the same memories. */
const MAX_CACHED_TEXT = 2_000_000;
const voiceOf = memoizedByText((content) => new OwnVoice(content), MAX_CACHED_TEXT);

/**
 * Whether the user says a passage of a memory: the memory is the user's, and the passage is in the user's own voice.
 * False in doubt, because accepted instructions are followed permanently.
 */
export function isOwnWords(memory: Spoken, { start }: Span): boolean {
  return isByUser(memory) && voiceOf(memory.content).foreignAt(start) === undefined;
}
