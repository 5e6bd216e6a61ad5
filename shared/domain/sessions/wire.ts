import * as z from "zod";
import { eventTime, storedObject } from "../../runtime/schemas/fields.ts";
import { measured } from "../../runtime/schemas/schema-parts.ts";
import { MESSAGE_ROLES, SESSION_MEMORY, SESSION_STATES, type SessionConfig } from "./session.ts";

/** Default settings of sessions. */
export const DEFAULT_SESSION_CONFIG = {
  context_window: 8192,
  compression_enabled: true,
  memory: "as_they_come",
} satisfies SessionConfig;

export const sessionConfig = {
  context_window: z
    .int()
    .min(1)
    .max(1_000_000)
    .describe(`Maximum o200k_base tokens of the context; the default is ${DEFAULT_SESSION_CONFIG.context_window}`),
  compression_enabled: z
    .boolean()
    .describe(
      "true (the default): messages that leave the window are summarized; false: a message that does not fit is refused",
    ),
  max_messages: z.int().min(1).max(1_000_000).describe("No limit if absent"),
  memory: z
    .enum(SESSION_MEMORY)
    .describe(
      `When messages become memories: never, when the session is closed or archived, or immediately; the default is ${DEFAULT_SESSION_CONFIG.memory}`,
    ),
};

/** A session in the API's form. */
export const Session = z.object({
  id: z.string(),
  agent_id: z.string(),
  user_id: z.string(),
  title: z.string().optional(),
  config: z.object({
    context_window: z.int(),
    compression_enabled: z.boolean(),
    max_messages: z.int().optional(),
    memory: z.enum(SESSION_MEMORY).default("off").describe("`off` in sessions of earlier releases"),
  }),
  initial_context: storedObject,
  metadata: storedObject,
  status: z.enum(SESSION_STATES),
  /** Position of the newest message; positions are 1, 2, 3 … without gaps. */
  message_count: measured(z.int()),
  total_tokens: measured(z.int()),
  created_at: z.string(),
  /** Changes with each message too. */
  updated_at: z.string(),
  closed_at: z.string().optional(),
  reason: z.string().optional(),
  summary: z.string().optional(),
  archived_at: z.string().optional(),
  /** When the session and its data expire. */
  expire_at: z.string().optional(),
  version: z.int(),
});

/** A message in the API's form. */
export const SessionMessage = z.object({
  id: z.string(),
  role: z.enum(MESSAGE_ROLES),
  content: z.string(),
  /** The content is lost or damaged in the store, and empty here. */
  content_missing: z.literal(true).optional(),
  metadata: storedObject,
  tokens: z.int(),
  ...eventTime,
  created_at: z.string(),
});
