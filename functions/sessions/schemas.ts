import * as z from "zod";
import { ALGORITHM_NAMES } from "../../shared/compression/algorithms/index.ts";
import { COMPRESSION_MODES, type CompressionOptions } from "../../shared/compression/engine.ts";
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

/** How to compress, by the name of an algorithm, of a mode, or of what it is for. */
const METHODS: Record<string, CompressionOptions> = {
  ...Object.fromEntries(ALGORITHM_NAMES.map((algorithm) => [algorithm, { algorithm }])),
  ...Object.fromEntries(COMPRESSION_MODES.map((mode) => [mode, { mode }])),
  conservative: { mode: "extract" },
  lossless: { algorithm: "smart_radix" },
  hybrid: { algorithm: "smart_hybrid" },
  semantic: { algorithm: "smart_hybrid" },
  summarize: { algorithm: "real_best" },
};

export const UpdateContext = z.object({
  /** Merged as JSON Merge Patch does (RFC 7396): null removes. With what is there, at most 16 KB. */
  context_updates: metadata,
  compression_options: z
    .object({
      enabled: z.boolean().default(true),
      method: z
        .enum(Object.keys(METHODS))
        .default("balanced")
        .transform((name) => ({ ...METHODS[name] })),
      retention_percentage: z.number().min(0).max(100).optional(),
    })
    .optional(),
});

const contextStats = {
  original_tokens: z.int(),
  compressed_tokens: z.int(),
  compression_ratio: z.number(),
  retention_percentage: z.number(),
};

export const UpdatedContext = z.object({
  session_id: z.string(),
  updated_context: metadata,
  compression_result: z.object(contextStats),
});

export const SessionContext = z.object({
  session_id: z.string(),
  context: z.object({
    /** The newest messages, as far as the window has room for them. */
    conversation_history: z.array(
      z.object({ role: z.enum(MESSAGE_ROLES), content: z.string(), timestamp: z.string() }),
    ),
    /** Besides what the client put there. */
    user_preferences: z.looseObject({
      from_session: z.array(z.string()),
      from_memories: z.array(z.object({ id: z.string(), content: z.string() })),
    }),
    session_state: z.looseObject({
      current_topic: z.string().nullable(),
      open_issues: z.array(z.string()),
      resolved_issues: z.array(z.string()),
      pending_actions: z.array(z.string()),
    }),
    /** What stands for the messages that are not in the history. */
    compressed_context: z.object({
      summary: z.string(),
      key_points: z.array(z.string()),
      compression_ratio: z.number(),
    }),
    /** The initial context and the client's updates, but for what is shown above. */
    variables: metadata,
  }),
  context_stats: z.object(contextStats),
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
