import type * as z from "zod";
import { timestamp } from "../../kernel/clock.ts";
import { occurredMs } from "../../kernel/event-time.ts";
import { rounded } from "../../kernel/math.ts";
import type { JsonObject } from "../../ports/json.ts";
import type { Sent } from "../memory/admit-text.ts";
import type * as wire from "./wire.ts";

export const SESSION_STATES = ["active", "closed", "archived"] as const;
export type SessionState = (typeof SESSION_STATES)[number];

export const MESSAGE_ROLES = ["user", "assistant", "system"] as const;
export type MessageRole = (typeof MESSAGE_ROLES)[number];

/** When messages become memories: never, at the end of the session, or immediately. */
export const SESSION_MEMORY = ["off", "on_close", "as_they_come"] as const;

export interface SessionConfig {
  /** Maximum o200k_base tokens of a context. */
  context_window: number;
  /** Whether messages that leave the window are summarized; otherwise the window limits the session. */
  compression_enabled: boolean;
  /** Unlimited if absent. */
  max_messages?: number;
  /** Absent in sessions of earlier releases, which means never. */
  memory?: (typeof SESSION_MEMORY)[number];
}

/** A conversation. Its context is stored separately, so that messages do not write it. Messages keep its `version`. */
export interface Session extends Omit<z.output<typeof wire.Session>, "config" | "initial_context"> {
  org: string;
  config: SessionConfig;
  user_messages: number;
  assistant_messages: number;
  system_messages: number;
  /** Role of the newest message. */
  last_role?: MessageRole;
  last_message_at?: string;
  /**
   * ISO 8601 in UTC: the earliest and the latest event time of its messages; absent if no message has `occurred_at`.
   */
  first_occurred_at?: string;
  last_occurred_at?: string;
  /** Messages up to this position are in the summary. */
  folded_messages: number;
  /** Tokens of these messages. */
  folded_tokens: number;
  summary_tokens: number;
  created_by: string;
  /** Messages up to this position are in the blob store, even after a restore. */
  archived_messages?: number;
  /** Messages up to this position have a job that extracts memories at the end of the session. */
  remembered_messages?: number;
}

/** The counters of a session without messages. */
export const NO_MESSAGES = {
  message_count: 0,
  total_tokens: 0,
  user_messages: 0,
  assistant_messages: 0,
  system_messages: 0,
  folded_messages: 0,
  folded_tokens: 0,
  summary_tokens: 0,
};

/** One message. `position` orders a session's messages, independently of their writers and times. */
export interface SessionMessage {
  id: string;
  org: string;
  session_id: string;
  position: number;
  role: MessageRole;
  /** Empty if `content_missing`. */
  content: string;
  /** Whether its blob is missing or damaged. */
  content_missing?: true;
  metadata: JsonObject;
  /** What the placeholders of its content and metadata stand for, for the memories that are extracted from it. */
  sent?: Sent | undefined;
  /** o200k_base tokens of the content. */
  tokens: number;
  /** Tokens of all messages before it. */
  tokens_before: number;
  /** For an assistant's message right after a user's: the milliseconds in between. */
  response_ms?: number;
  /** ISO 8601 with its offset; when it was said, if that was given. */
  occurred_at?: string;
  /** At least a millisecond later than the previous message's, even if the clocks of processes differ. */
  created_at: string;
  created_by: string;
  /** Whether a job to extract its memories was stored with it. */
  is_remembered?: true;
  /** Id of the copied message; absent for an added message, which has an event. */
  copy_of?: string;
}

/** The free-form parts of a session, stored apart so that messages do not write them. */
export interface SessionContext {
  session_id: string;
  /** As given at creation. */
  initial_context: JsonObject;
  /** The initial context merged with all updates. */
  current: JsonObject;
  /** Counts updates. */
  revision: number;
  updated_at: string;
}

export interface SessionWithContext {
  session: Session;
  context: SessionContext;
}

/**
 * Returns the first and the last event time of a session's messages, in epoch milliseconds; without any, its creation.
 */
export function occurredSpan(session: Session): { first: number; last: number } {
  const { created_at, last_message_at = created_at, first_occurred_at, last_occurred_at } = session;
  return { first: Date.parse(first_occurred_at ?? created_at), last: Date.parse(last_occurred_at ?? last_message_at) };
}

/** Returns a session's event times after another message; empty if no message has its own event time yet. */
export function occurredWith(
  before: Session,
  message: Pick<SessionMessage, "occurred_at" | "created_at">,
): Pick<Session, "first_occurred_at" | "last_occurred_at"> {
  if (message.occurred_at === undefined && before.first_occurred_at === undefined) return {};
  const said = occurredMs(message);
  const { first, last } = before.message_count === 0 ? { first: said, last: said } : occurredSpan(before);
  return { first_occurred_at: timestamp(Math.min(first, said)), last_occurred_at: timestamp(Math.max(last, said)) };
}

/** Returns the tokens of a session's context: its summary and the uncompacted messages. */
export function contextTokens({ total_tokens, folded_tokens, summary_tokens }: Session): number {
  return total_tokens - folded_tokens + summary_tokens;
}

/**
 * Returns the context's tokens as a share of all messages' tokens, with four decimals: 1 while nothing is compacted.
 */
export function compressionRatio(session: Session): number {
  const { total_tokens } = session;
  return total_tokens === 0 ? 1 : rounded(contextTokens(session) / total_tokens, 4);
}
