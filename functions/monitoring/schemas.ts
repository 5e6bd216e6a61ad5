import * as z from "zod";
import { READER_STATES } from "../../shared/domain/memory/reading-health.ts";
import { QueueState } from "../../shared/domain/operations/health/checks.ts";
import { LOG_LEVELS } from "../../shared/kernel/logger.ts";
import { MODEL_PROVIDERS } from "../../shared/ports/model-providers.ts";
import { label, moment, Pagination, page } from "../../shared/runtime/schemas/fields.ts";

const percent = z.number().nullable();
const share = z.number().nullable();
const instant = z.string().meta({ format: "date-time" });
const milliseconds = z.number().nullable();
const status = z.enum(["healthy", "degraded", "unhealthy"]);

const store = { status, response_time_ms: z.number() };
const waiting = z.int().nullable();

const ConnectionPool = z.object({ active: z.int(), idle: z.int(), total: z.int() });

export const ModelUse = z.object({
  provider: z.enum(MODEL_PROVIDERS),
  asked: z.int().describe("Tasks."),
  calls: z.int().describe("Requests to the provider, including retries."),
  input_tokens: z.int(),
  output_tokens: z.int(),
  fallbacks: z.int().describe("Tasks that fell back to the built-in rules."),
  last_failure: z
    .object({ at: instant, reason: z.string() })
    .nullable()
    .describe("Why the last fallback happened, without request or response content."),
});

export const SystemHealth = z.object({
  overall_status: status.describe(
    "`unhealthy` if the database is unhealthy, `degraded` if another part is not healthy.",
  ),
  components: z.object({
    database: z.object({
      ...store,
      connection_pool: ConnectionPool.describe(
        "Connections of the answering process at that time. On one machine, connections to SQLite: one, active while writes " +
          "wait for their commit, and another one per backup that is read. On AWS, sockets to DynamoDB.",
      ),
    }),
    cache: z
      .object({
        status,
        hit_rate: share.describe(
          "Share of credential look-ups that the cache answered, in all processes over the last five minutes; null if unused.",
        ),
        memory_usage_mb: z.number().describe("Serialized size of the cached entries of the answering process, in MiB."),
      })
      .describe("The cache of credentials, which holds entries for at most ten seconds."),
    storage: z
      .object({
        ...store,
        disk_usage_gb: z.number().nullable(),
        disk_total_gb: z.number().nullable(),
        disk_usage_percentage: percent,
      })
      .describe("The blob store and its disk; `degraded` from 90 % disk usage on. The disk is null on S3."),
    api: z
      .object({
        status,
        requests_per_second: z.number().nullable(),
        avg_response_time_ms: milliseconds,
        error_rate: share.describe("Share of requests that were answered with 5xx; `degraded` from 0.05 on."),
      })
      .describe(
        "All processes, over the last five minutes; `degraded`, with null values, if the counts cannot be read.",
      ),
    search: z.object(store),
    queues: z.object({
      ...store,
      waiting,
      in_flight: waiting,
      dead_letters: waiting.describe("`degraded` if there are any."),
      queues: z.array(QueueState).nullable(),
    }),
    models: z
      .object({ status, providers: z.array(ModelUse).nullable() })
      .describe(
        "Remote language models used in the last 24 hours, by whole hours; `degraded` if the built-in rules replaced them " +
          "for at least 5 % of the tasks of this hour and the last, or if the counts cannot be read.",
      ),
    embedder: z
      .object({
        status,
        queries_without_vector: z
          .int()
          .nullable()
          .describe(
            "Queries since the start of the previous hour that were answered by keywords alone, because the embedder failed or was late; `degraded` if there are any, or with null if the count cannot be read.",
          ),
      })
      .describe("The embedder of queries, over all processes."),
  }),
  timestamp: instant,
});

export const ReadMetrics = z.object({
  format: z.enum(["json", "prometheus"]).default("json").describe("`prometheus`: text for a scraper"),
});

const TrafficPoint = z.object({
  at: instant,
  requests: z.int(),
  failed_requests: z.int(),
  avg_response_time_ms: milliseconds,
  p95_response_time_ms: milliseconds,
});

const SearchPoint = z.object({
  at: instant,
  searches: z.int(),
  avg_response_time_ms: milliseconds,
  p95_response_time_ms: milliseconds,
});

export const SystemMetrics = z.object({
  performance: z
    .object({
      cpu_usage: percent,
      memory_usage: percent,
      disk_usage: percent.describe("Used share of the disk that holds the blobs, in percent; null on AWS."),
      resident_memory_mb: z.number().describe("Resident memory of the answering process, in MiB."),
      uptime_seconds: z.int().describe("Seconds since the answering process started."),
    })
    .describe("Percentages of the host or function instance that answers."),
  api_metrics: z
    .object({
      requests_total: z.int(),
      successful_requests: z.int().describe("Requests answered with a status below 400."),
      refused_requests: z.int().describe("Requests answered with 4xx."),
      failed_requests: z.int().describe("Requests answered with 5xx."),
      requests_per_second: z.number(),
      avg_response_time_ms: milliseconds,
      p95_response_time_ms: milliseconds.describe("In milliseconds; at most 9.1 % too high, never too low."),
      error_rate: share.describe("Share of requests that were answered with 5xx."),
    })
    .describe(
      "All processes. The four counts are since the first start; the other values cover the last five minutes and are null without requests. Requests of other processes are counted some seconds later.",
    ),
  business_metrics: z.object({
    active_users: z.int().describe("Users who were active in the last 30 days, directly or through their keys."),
    total_memories: z.int().nullable().describe("The current number in all organizations; null while search is down."),
    total_sessions: z.int().describe("Sessions ever started."),
    total_searches: z.int().describe("Searches ever run."),
    total_rerankings: z.int().describe("Searches with a second stage (reranking)."),
    failed_rerankings: z.int().describe("Searches that kept their first order."),
  }),
  fact_reader: z
    .object({
      state: z.enum(READER_STATES).describe("As `fact_reader` of /ready."),
      read: z.int().describe("Memories that the model read since the first start."),
      failed: z.int().describe("Groups of memories whose reading failed, including those that were read later."),
    })
    .describe("The model that reads facts behind the rules."),
  model_metrics: z.array(ModelUse).describe("Use of remote language models since the first start."),
  history: z.object({
    requests: z.array(TrafficPoint).describe("Requests of the last hour by minute, without minutes that had none."),
    searches: z.array(SearchPoint).describe("Searches of the last day by hour, without hours that had none."),
  }),
});

export const ReadLogs = z.object({
  level: z.enum(LOG_LEVELS).optional(),
  service: label.optional().describe("The endpoint group or worker that wrote it, or the area of an audit record"),
  start_time: moment.optional().describe("The default is 24 hours before `end_time`"),
  end_time: moment.optional().describe("The default is now"),
  ...page(100, 500),
});

export const LogEntry = z.object({
  id: z.string(),
  timestamp: instant,
  level: z.enum(LOG_LEVELS),
  service: z.string(),
  message: z.string().describe("A message code such as REQUEST, or the action of an audit record."),
  user_id: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()).describe("Further fields; `kind` is `line` or `audit`."),
});

export const LogList = z.object({ logs: z.array(LogEntry), pagination: Pagination });
