import * as z from "zod";
import { ALGORITHM_NAMES } from "../../shared/domain/compression/algorithms/index.ts";
import { COMPRESSION_MODES, type CompressionOptions } from "../../shared/domain/compression/engine.ts";
import { LeftOutList } from "../../shared/domain/memory/wire.ts";
import { ProfileLine } from "../../shared/domain/retrieval/profiles/wire.ts";
import { MAX_QUERY_LENGTH } from "../../shared/domain/retrieval/settings.ts";
import { SENTIMENTS } from "../../shared/domain/sessions/sentiment.ts";
import { MESSAGE_ROLES, SESSION_STATES } from "../../shared/domain/sessions/session.ts";
import { DEFAULT_SESSION_CONFIG, Session, SessionMessage, sessionConfig } from "../../shared/domain/sessions/wire.ts";
import {
  each,
  eventTime,
  filledText,
  label,
  metadata,
  moment,
  occurredAt,
  occurredRange,
  Pagination,
  page,
  pageWithCursor,
  queryFlag,
  storedObject,
  storedUserId,
} from "../../shared/runtime/schemas/fields.ts";
import { measured } from "../../shared/runtime/schemas/schema-parts.ts";

export { Session };

const MAX_CONTENT_LENGTH = 100_000;

export const MAX_TITLE_LENGTH = 200;
const title = filledText(MAX_TITLE_LENGTH);

const ofOurs = (kind: string) => `A name of the client's own, or the id of ${kind} of the organization`;

export const CreateSession = z.object({
  agent_id: label.describe(ofOurs("an agent")),
  user_id: storedUserId.describe(ofOurs("a user")),
  title: title.optional(),
  config: z
    .object(sessionConfig)
    .partial()
    .transform((given) => ({ ...DEFAULT_SESSION_CONFIG, ...given }))
    .default(DEFAULT_SESSION_CONFIG),
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
      .describe("Absent fields are not changed"),
    metadata,
  })
  .partial()
  .refine(
    ({ title, config, metadata }) => [title, config, metadata].some((given) => given !== undefined),
    "give title, config or metadata",
  );

export const ListSessions = z.object({
  user_id: label.optional(),
  agent_id: label.optional(),
  status: z.enum(SESSION_STATES).optional(),
  created_after: moment.optional(),
  created_before: moment.optional(),
  ...occurredRange,
  ...pageWithCursor(20, 100),
  sort: z.string().default("updated_at desc"),
});

export const SessionWithRatio = Session.extend({
  context_compression_ratio: measured(z.number()).describe(
    "Tokens of the context divided by tokens of all messages; 1 while nothing is compressed",
  ),
});

export const SessionSummary = Session.pick(
  each(
    true,
    "id",
    "agent_id",
    "user_id",
    "title",
    "status",
    "message_count",
    "total_tokens",
    "created_at",
    "updated_at",
  ),
);

export const SessionList = z.object({ sessions: z.array(SessionSummary), pagination: Pagination });

export const AddMessage = z.object({
  role: z.enum(MESSAGE_ROLES),
  content: filledText(MAX_CONTENT_LENGTH),
  metadata: metadata.default({}),
  occurred_at: occurredAt.optional().describe("When it was said, past or future; the default is now"),
});

export const AddedMessage = z.object({
  id: z.string().describe("Id of the session"),
  message_id: z.string(),
  ...SessionMessage.pick(each(true, "role", "content", "metadata", "tokens")).shape,
  session_tokens: z.int().describe("Tokens of all messages of the session, including this one"),
  left_out: LeftOutList.optional(),
  ...eventTime,
  created_at: z.string(),
});

/** Compression options by the name of an algorithm, a mode or a purpose. */
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
    "Merged into the stored context as JSON Merge Patch (RFC 7396): objects merge, null removes, other values replace; the result has at most 16 KB. `user_preferences` and `session_state` take precedence over values derived from the messages",
  ),
  compression_options: z
    .object({
      enabled: z.boolean().default(true),
      method: z
        .enum(Object.keys(METHODS))
        .default("balanced")
        .transform((name) => ({ ...METHODS[name] }))
        .describe("An algorithm, a compression mode, or a purpose"),
      retention_percentage: z
        .number()
        .min(0)
        .max(100)
        .optional()
        .describe("Minimum share of the messages' information to keep, in percent; the default depends on the method"),
    })
    .optional()
    .describe("Summarize all but the newest messages now; if absent, only what exceeds the window is summarized"),
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
        "What is known about the user that is relevant for the newest messages, with changes, within the rest of the window",
      ),
    session_state: z.looseObject({
      current_topic: z.string().nullable(),
      open_issues: z.array(z.string()),
      resolved_issues: z.array(z.string()),
      pending_actions: z.array(z.string()),
    }),
    compressed_context: z
      .object({ summary: z.string(), key_points: z.array(z.string()), compression_ratio: z.number() })
      .describe("A summary of the messages that are not in the history, or of all messages if none is left out"),
    variables: storedObject.describe("The initial context and the client's updates, except for the fields above"),
  }),
  context_stats: z.object(contextStats),
});

export const ListMessages = z.object({
  role: z.enum(MESSAGE_ROLES).optional(),
  after: moment.optional().describe("Only messages created after this time"),
  q: filledText(MAX_QUERY_LENGTH).optional().describe("Only messages with all of these words, in any form"),
  ...occurredRange,
  ...page(50, 200),
});

export const MessageList = z.object({
  session_id: z.string(),
  messages: z.array(SessionMessage),
  pagination: Pagination,
  session_stats: z.object({
    total_messages: z.int(),
    total_tokens: z.int(),
    compression_ratio: z.number(),
  }),
});

export const CloseSession = z.object({
  reason: filledText(1000),
  summary: filledText(10_000).optional().describe("Derived from the messages if absent"),
});

export const ClosedSession = z.object({
  id: z.string(),
  status: z.literal("closed"),
  closed_at: z.string(),
  reason: z.string(),
  summary: z.string(),
});

export const DuplicateSession = z.object({
  new_title: title.optional().describe('If absent, "Copy of …"'),
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
    .describe("Days until the session and its data are deleted; kept forever if unset"),
  compression_enabled: z.boolean().default(true),
});

export const ExportSession = z.object({
  format: z.enum(["json", "markdown", "pdf"]).default("json"),
  include_metadata: queryFlag(true),
});

/** Null if nothing was measured yet. */
const figure = z.number().nullable();
const sentiment = { sentiment: z.enum(SENTIMENTS), confidence: z.number() };

export const SessionStats = z.object({
  session_id: z.string(),
  duration: z
    .object({ start: z.string(), end: z.string().nullable(), duration_minutes: z.number() })
    .describe("From the start until the session was closed, otherwise until its newest message"),
  message_stats: z.object({
    total_messages: z.int(),
    user_messages: z.int(),
    assistant_messages: z.int(),
    avg_message_length: z.number().describe("Mean length of a message in characters"),
    total_tokens: z.int(),
  }),
  performance_metrics: z.object({
    avg_response_time_ms: figure.describe(
      "Mean time from a user's message to the assistant's message right after it, in milliseconds; null while there is none",
    ),
    p95_response_time_ms: figure.describe("Exact up to 20,000 answers, then at most 9.1 % too high"),
    success_rate: figure.describe(
      "Share of user messages that were answered before the next user message, 0..1; pending messages are not counted",
    ),
  }),
  context_stats: z.object({
    compression_ratio: z.number().describe("Tokens of the context divided by tokens of all messages"),
    context_efficiency: z.number().describe("Share of the session's information that the context keeps, 0..1"),
    memory_usage_mb: z.number().describe("Size of the stored messages in MiB"),
  }),
  topic_analysis: z.object({
    main_topics: z.array(z.string()),
    topic_distribution: z.record(z.string(), z.number()).describe("Shares of the top ten topics, which sum to 1"),
  }),
  sentiment_analysis: z.object({
    overall_sentiment: z.enum(SENTIMENTS),
    overall_confidence: z.number(),
    sentiment_timeline: z
      .array(z.object({ timestamp: z.string(), ...sentiment }))
      .describe(
        "At most 100 points: one per message; in long sessions, one per 2, 4, 8 … consecutive messages, with the time of the first",
      ),
  }),
});

const timeRange = z.enum(["day", "week", "month"]);

export const ReadAnalytics = z.object({
  user_id: label.optional(),
  agent_id: label.optional(),
  time_range: timeRange
    .default("week")
    .describe("The last 24 hours, 7 days or 30 days, including the current hour or day"),
  limit: page(20, 100).limit.describe("Maximum number of recent sessions"),
});

export const SessionAnalytics = z.object({
  time_range: timeRange,
  from: z.string(),
  to: z.string(),
  summary: z.object({
    total_sessions: z.int().describe("Sessions started in the range"),
    active_sessions: z.int().describe("Active sessions with activity in the range; counted up to 10,000"),
    closed_sessions: z.int().describe("Sessions closed, or archived while active, in the range"),
    total_messages: z.int(),
    avg_session_duration: figure.describe(
      "Mean length of the sessions closed in the range, in seconds; null if there is none",
    ),
    total_tokens_used: z.int(),
  }),
  performance_metrics: z.object({
    avg_response_time_ms: figure,
    p95_response_time_ms: figure.describe("At most 9.1 % too high, never too low"),
    success_rate: figure.describe("Share of user messages that were answered before the next user message, 0..1"),
    messages_per_session: figure,
    tokens_per_message: figure,
  }),
  series: z.array(
    z.object({
      at: z.string(),
      ...each(z.int(), "sessions_started", "sessions_closed", "messages", "tokens"),
    }),
  ),
  recent_sessions: SessionList.shape.sessions.describe("Sessions with activity in the range, newest first"),
});
