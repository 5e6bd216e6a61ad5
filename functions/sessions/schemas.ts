import * as z from "zod";
import { ALGORITHM_NAMES } from "../../shared/compression/algorithms/index.ts";
import { COMPRESSION_MODES, type CompressionOptions } from "../../shared/compression/engine.ts";
import {
  eventTime,
  filledText,
  label,
  metadata,
  moment,
  occurredAt,
  occurredRange,
  Pagination,
  page,
  queryFlag,
  storedObject,
} from "../../shared/http/fields.ts";
import { measured } from "../../shared/http/schema-parts.ts";
import { ProfileLine } from "../../shared/profiles/wire.ts";
import { MAX_QUERY_LENGTH } from "../../shared/retrieval/settings.ts";
import { SENTIMENTS } from "../../shared/sessions/sentiment.ts";
import { MESSAGE_ROLES, SESSION_STATES } from "../../shared/sessions/session.ts";
import { Session, SessionMessage, sessionConfig, USUAL_SESSION_CONFIG } from "../../shared/sessions/wire.ts";

export { Session };

const MAX_CONTENT_LENGTH = 100_000;

export const MAX_TITLE_LENGTH = 200;
const title = filledText(MAX_TITLE_LENGTH);

const ofOurs = (kind: string) => `A name of the client's own, or the id of ${kind} of the organization`;

export const CreateSession = z.object({
  agent_id: label.describe(ofOurs("an agent")),
  user_id: label.describe(ofOurs("a user")),
  title: title.optional(),
  config: z
    .object(sessionConfig)
    .partial()
    .transform((given) => ({ ...USUAL_SESSION_CONFIG, ...given }))
    .default(USUAL_SESSION_CONFIG),
  initial_context: metadata.default({}),
  metadata: metadata.default({}),
});

export const UpdateSession = z
  .object({
    title,
    config: z
      .object({
        ...sessionConfig,
        max_messages: sessionConfig.max_messages.nullable().describe("null lifts the limit"),
      })
      .partial()
      .describe("What is left out stays as it is"),
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

export const SessionWithRatio = Session.extend({
  context_compression_ratio: measured(z.number()).describe(
    "Tokens of the context over tokens of all messages: 1 while nothing is compressed",
  ),
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
  occurred_at: occurredAt.optional().describe("When it was said, past or future; now where it is left out"),
});

export const AddedMessage = z.object({
  id: z.string().describe("Of the session"),
  message_id: z.string(),
  role: z.enum(MESSAGE_ROLES),
  content: z.string(),
  metadata: storedObject,
  tokens: z.int(),
  session_tokens: z.int().describe("Of all messages of the session, this one included"),
  ...eventTime,
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
  context_updates: metadata.describe(
    "Merged into what is there as JSON Merge Patch (RFC 7396): objects merge, null removes, anything else replaces; at most 16 KB with what is there. `user_preferences` and `session_state` go before what was read out of the messages",
  ),
  compression_options: z
    .object({
      enabled: z.boolean().default(true),
      method: z
        .enum(Object.keys(METHODS))
        .default("balanced")
        .transform((name) => ({ ...METHODS[name] }))
        .describe("An algorithm, a mode of compression, or what it is for"),
      retention_percentage: z
        .number()
        .min(0)
        .max(100)
        .optional()
        .describe("Least share of what the messages say that stays; the method's own unless told"),
    })
    .optional()
    .describe(
      "Sum up all but the newest messages now; left out, nothing is compressed that the window does not ask for",
    ),
});

const contextStats = {
  original_tokens: z.int(),
  compressed_tokens: z.int(),
  compression_ratio: z.number(),
  retention_percentage: z.number(),
};

export const UpdatedContext = z.object({
  session_id: z.string(),
  updated_context: storedObject,
  compression_result: z.object(contextStats),
});

export const SessionContext = z.object({
  session_id: z.string(),
  context: z.object({
    conversation_history: z.array(
      z.object({ role: z.enum(MESSAGE_ROLES), content: z.string(), timestamp: z.string() }),
    ),
    user_preferences: z.looseObject({
      from_session: z.array(z.string()),
      from_memories: z.array(z.object({ id: z.string(), content: z.string() })),
    }),
    user_facts: z
      .object({ current: z.array(ProfileLine), changed: z.array(ProfileLine) })
      .describe(
        "What is known of the user by their own words that concerns the newest messages, and what of it changed, within what the window leaves",
      ),
    session_state: z.looseObject({
      current_topic: z.string().nullable(),
      open_issues: z.array(z.string()),
      resolved_issues: z.array(z.string()),
      pending_actions: z.array(z.string()),
    }),
    compressed_context: z
      .object({ summary: z.string(), key_points: z.array(z.string()), compression_ratio: z.number() })
      .describe("Stands for the messages that are not in the history; while all are there, it is their gist"),
    variables: storedObject.describe("The initial context and the client's updates, but for what is shown above"),
  }),
  context_stats: z.object(contextStats),
});

export const ListMessages = z.object({
  role: z.enum(MESSAGE_ROLES).optional(),
  after: moment.optional().describe("Those written later than this"),
  q: filledText(MAX_QUERY_LENGTH).optional().describe("Those with all of these words, in any of their forms"),
  ...occurredRange,
  ...page(50, 200),
});

export const MessageList = z.object({
  session_id: z.string(),
  messages: z.array(SessionMessage),
  pagination: Pagination,
  /** Of the whole session, whatever the filters. */
  session_stats: z.object({
    total_messages: z.int(),
    total_tokens: z.int(),
    compression_ratio: z.number(),
  }),
});

export const CloseSession = z.object({
  reason: filledText(1000),
  summary: filledText(10_000).optional().describe("Made from the messages where it is not given"),
});

export const ClosedSession = z.object({
  id: z.string(),
  status: z.literal("closed"),
  closed_at: z.string(),
  reason: z.string(),
  summary: z.string(),
});

export const DuplicateSession = z.object({
  new_title: title.optional().describe('"Copy of …" where it is not given'),
  include_messages: z.boolean().default(true),
  include_context: z.boolean().default(true),
});

const HUNDRED_YEARS_IN_DAYS = 36_500;

export const ArchiveSession = z.object({
  retention_period_days: z
    .int()
    .min(1)
    .max(HUNDRED_YEARS_IN_DAYS)
    .optional()
    .describe("After so many days the session and all that belongs to it is gone; without it, it is kept"),
  compression_enabled: z.boolean().default(true),
});

export const ExportSession = z.object({
  format: z.enum(["json", "markdown", "pdf"]).default("json"),
  include_metadata: queryFlag(true),
});

const sentiment = { sentiment: z.enum(SENTIMENTS), confidence: z.number() };

export const SessionStats = z.object({
  session_id: z.string(),
  duration: z
    .object({ start: z.string(), end: z.string().nullable(), duration_minutes: z.number() })
    .describe("Until it was closed, or else to its newest message; null while it has none"),
  message_stats: z.object({
    total_messages: z.int(),
    user_messages: z.int(),
    assistant_messages: z.int(),
    avg_message_length: z.number().describe("In characters"),
    total_tokens: z.int(),
  }),
  performance_metrics: z.object({
    avg_response_time_ms: z
      .number()
      .nullable()
      .describe("From a user's message to the assistant's right after it; null while there is none"),
    p95_response_time_ms: z.number().nullable().describe("Exact up to 20,000 answers, then up to 9.1 % above"),
    success_rate: z
      .number()
      .nullable()
      .describe(
        "Share of users' messages that were answered before the user wrote again, 0..1; one that still waits is not counted",
      ),
  }),
  context_stats: z.object({
    compression_ratio: z.number().describe("Tokens of the context over tokens of all messages"),
    context_efficiency: z.number().describe("Share of what was said that the context still tells, 0..1"),
    memory_usage_mb: z.number().describe("Of the stored messages, in units of 2^20 bytes"),
  }),
  topic_analysis: z.object({
    main_topics: z.array(z.string()),
    topic_distribution: z
      .record(z.string(), z.number())
      .describe("Shares of the ten weightiest topics, which come to 1"),
  }),
  /** Of the users' messages. */
  sentiment_analysis: z.object({
    overall_sentiment: z.enum(SENTIMENTS),
    overall_confidence: z.number(),
    sentiment_timeline: z
      .array(z.object({ timestamp: z.string(), ...sentiment }))
      .describe(
        "At most 100 points: one a message, in long sessions one for 2, 4, 8 … messages in a row, dated as the first of them",
      ),
  }),
});

export const ReadAnalytics = z.object({
  user_id: label.optional(),
  agent_id: label.optional(),
  time_range: z
    .enum(["day", "week", "month"])
    .default("week")
    .describe("The last 24 hours, 7 days or 30 days, the current hour or day included"),
  limit: page(20, 100).limit.describe("Of the recent sessions"),
});

export const SessionAnalytics = z.object({
  time_range: z.enum(["day", "week", "month"]),
  from: z.string(),
  to: z.string(),
  summary: z.object({
    total_sessions: z.int().describe("Begun in the range"),
    active_sessions: z.int().describe("Active, and something happened in the range; counted up to 10,000"),
    closed_sessions: z.int().describe("Closed, or archived while active, in the range"),
    total_messages: z.int(),
    avg_session_duration: z
      .number()
      .nullable()
      .describe("Of the sessions closed in the range, in seconds; null where there is none"),
    total_tokens_used: z.int(),
  }),
  /** Null where there was nothing to measure. */
  performance_metrics: z.object({
    avg_response_time_ms: z.number().nullable(),
    p95_response_time_ms: z.number().nullable().describe("Up to 9.1 % above the exact one"),
    success_rate: z
      .number()
      .nullable()
      .describe("Share of users' messages that were answered before the user wrote again, 0..1"),
    messages_per_session: z.number().nullable(),
    tokens_per_message: z.number().nullable(),
  }),
  /** By hour for a day, else by day; oldest first, in UTC. */
  series: z.array(
    z.object({
      at: z.string(),
      sessions_started: z.int(),
      sessions_closed: z.int(),
      messages: z.int(),
      tokens: z.int(),
    }),
  ),
  recent_sessions: SessionList.shape.sessions.describe(
    "Those in which something happened in the range, the latest first",
  ),
});
