import { rounded } from "../kernel/rounded.ts";
import type { JsonObject } from "../platform/ports.ts";

export const SESSION_STATES = ["active", "closed", "archived"] as const;
export type SessionState = (typeof SESSION_STATES)[number];

export const MESSAGE_ROLES = ["user", "assistant", "system"] as const;
export type MessageRole = (typeof MESSAGE_ROLES)[number];

/** When messages become memories: never, when the session ends, or as they are added. */
export const SESSION_MEMORY = ["off", "on_close", "as_they_come"] as const;
export type SessionMemory = (typeof SESSION_MEMORY)[number];

export interface SessionConfig {
  /** Most o200k_base tokens of a context. */
  context_window: number;
  /** Whether what leaves the window is compressed; without it the window is a limit of the session. */
  compression_enabled: boolean;
  /** No limit where absent. */
  max_messages?: number;
  /** Absent, as in sessions that earlier releases began: never. */
  memory?: SessionMemory;
}

/**
 * A conversation, small enough to be written with each of its messages: what its context is made of lies in records of
 * its own. `version` counts changes of what clients set and of the status; messages leave it as it is.
 */
export interface Session {
  id: string;
  org: string;
  agent_id: string;
  user_id: string;
  title?: string;
  config: SessionConfig;
  metadata: JsonObject;
  status: SessionState;
  /** Position of the newest message; positions are 1, 2, 3 … without gaps. */
  message_count: number;
  total_tokens: number;
  user_messages: number;
  assistant_messages: number;
  system_messages: number;
  /** Of the newest message. */
  last_role?: MessageRole;
  last_message_at?: string;
  /** Messages up to this position are in the summary, with so many tokens; it says them in `summary_tokens`. */
  folded_messages: number;
  folded_tokens: number;
  summary_tokens: number;
  created_at: string;
  /** Moves with each message too. */
  updated_at: string;
  created_by: string;
  version: number;
  closed_at?: string;
  reason?: string;
  summary?: string;
  archived_at?: string;
  /** Messages up to this position are in the blob store. */
  archived_messages?: number;
  /** ISO; from that instant on the session and all that belongs to it is gone. */
  expire_at?: string;
}

/** One message. `position` orders a session's messages, whoever wrote them and when. */
export interface SessionMessage {
  id: string;
  org: string;
  session_id: string;
  position: number;
  role: MessageRole;
  /** Empty where `content_missing`. */
  content: string;
  /** Its blob is missing or damaged. */
  content_missing?: true;
  metadata: JsonObject;
  /** o200k_base tokens of the content. */
  tokens: number;
  /** Tokens of all messages before it. */
  tokens_before: number;
  /** Of an assistant's message right after a user's: the milliseconds in between. */
  response_ms?: number;
  /** ISO with its offset; when it was said. Absent where nobody gave it: when it was added. */
  occurred_at?: string;
  /** Later than that of the message before, by a millisecond at least, whatever the clocks of processes say. */
  created_at: string;
  created_by: string;
  /** A job was stored with it that makes memories of it. */
  is_remembered?: true;
  /** Id of the message that this is a copy of; absent where it was added, which is what an event tells of. */
  copy_of?: string;
}

/** What is free-form about a session: read with it alone, so that messages need not carry it along. */
export interface SessionContext {
  session_id: string;
  /** As given at creation. */
  initial_context: JsonObject;
  /** The initial context and all updates since, merged. */
  current: JsonObject;
  /** Counts updates. */
  revision: number;
  updated_at: string;
}

/** Tokens that the context of a session is made of: its summary, and the messages that are not in it. */
export function contextTokens({ total_tokens, folded_tokens, summary_tokens }: Session): number {
  return total_tokens - folded_tokens + summary_tokens;
}

/** Tokens of the context over those of all messages, four decimals: 1 while nothing is compressed. */
export function compressionRatio(session: Session): number {
  const { total_tokens } = session;
  return total_tokens === 0 ? 1 : rounded(contextTokens(session) / total_tokens, 4);
}
