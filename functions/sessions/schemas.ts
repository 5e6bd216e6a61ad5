import * as z from "zod";
import { filledText, label, metadata, moment, Pagination, page } from "../../shared/http/fields.ts";
import { MESSAGE_ROLES, SESSION_STATES } from "../../shared/sessions/session.ts";

const MAX_CONTENT_LENGTH = 100_000;

const title = filledText(200);

const config = {
  context_window: z.int().min(1).max(2_000_000),
  compression_enabled: z.boolean(),
  max_messages: z.int().min(1).max(1_000_000),
};

const DEFAULT_CONFIG = { context_window: 8192, compression_enabled: true };

export const CreateSession = z.object({
  agent_id: label,
  user_id: label,
  title: title.optional(),
  config: z
    .object(config)
    .partial()
    .transform((given) => ({ ...DEFAULT_CONFIG, ...given }))
    .default(DEFAULT_CONFIG),
  initial_context: metadata.default({}),
  metadata: metadata.default({}),
});

/** Of the config, what is left out stays as it is; null lifts the limit of messages. */
export const UpdateSession = z
  .object({
    title,
    config: z.object({ ...config, max_messages: config.max_messages.nullable() }).partial(),
    metadata,
  })
  .partial()
  .refine(
    ({ title, config, metadata }) => [title, config, metadata].some((given) => given !== undefined),
    "give title, config or metadata",
  );

const filter = {
  user_id: label.optional(),
  agent_id: label.optional(),
  status: z.enum(SESSION_STATES).optional(),
  created_after: moment.optional(),
  created_before: moment.optional(),
};

export const ListSessions = z.object({ ...filter, ...page(20, 100), sort: z.string().default("updated_at desc") });

export const Session = z.object({
  id: z.string(),
  agent_id: z.string(),
  user_id: z.string(),
  title: z.string().optional(),
  config: z.object(config).partial({ max_messages: true }),
  initial_context: metadata,
  metadata,
  status: z.enum(SESSION_STATES),
  message_count: z.int(),
  total_tokens: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
  closed_at: z.string().optional(),
  reason: z.string().optional(),
  summary: z.string().optional(),
  archived_at: z.string().optional(),
  expire_at: z.string().optional(),
  version: z.int(),
});

export const SessionWithRatio = Session.extend({
  /** Tokens of the context over tokens of all messages: 1 while nothing is compressed. */
  context_compression_ratio: z.number(),
});

export const SessionList = z.object({
  sessions: z.array(
    Session.pick({
      id: true,
      agent_id: true,
      user_id: true,
      title: true,
      status: true,
      message_count: true,
      total_tokens: true,
      created_at: true,
      updated_at: true,
    }),
  ),
  pagination: Pagination,
});

export const AddMessage = z.object({
  role: z.enum(MESSAGE_ROLES),
  content: filledText(MAX_CONTENT_LENGTH),
  metadata: metadata.default({}),
});

export const AddedMessage = z.object({
  /** Of the session. */
  id: z.string(),
  message_id: z.string(),
  role: z.enum(MESSAGE_ROLES),
  content: z.string(),
  metadata,
  tokens: z.int(),
  /** Of all messages of the session, this one included. */
  session_tokens: z.int(),
  created_at: z.string(),
});

export const ListMessages = z.object({
  role: z.enum(MESSAGE_ROLES).optional(),
  /** Messages written later than this. */
  after: moment.optional(),
  ...page(50, 200),
});

export const MessageList = z.object({
  session_id: z.string(),
  messages: z.array(
    z.object({
      id: z.string(),
      role: z.enum(MESSAGE_ROLES),
      content: z.string(),
      metadata,
      tokens: z.int(),
      created_at: z.string(),
    }),
  ),
  pagination: Pagination,
  /** Of the whole session, whatever the filters. */
  session_stats: z.object({
    total_messages: z.int(),
    total_tokens: z.int(),
    compression_ratio: z.number(),
  }),
});
