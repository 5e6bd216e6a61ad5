import * as z from "zod";
import { ALGORITHM_NAMES } from "../../shared/domain/compression/algorithms/index.ts";
import { CORPUS_NAMES } from "../../shared/domain/compression/corpora/index.ts";
import { COMPRESSION_MODES } from "../../shared/domain/compression/engine.ts";
import {
  CompressionConfig,
  CompressionConfigUpdate,
  CompressionModeName,
  ModeSettings,
  ModeUpdate,
  Provider,
} from "../../shared/domain/compression/settings.ts";
import { PolicyName, TierPolicyUpdate, TierSettings } from "../../shared/domain/compression/tiers.ts";
import { PRIORITIES } from "../../shared/domain/memory/jobs.ts";
import { JOB_STATUSES } from "../../shared/domain/memory/pipeline.ts";
import { MAX_HOPS, MAX_QUERY_LENGTH } from "../../shared/domain/retrieval/settings.ts";
import { each, filledText, label, storedObject } from "../../shared/runtime/schemas/fields.ts";
import { measured } from "../../shared/runtime/schemas/schema-parts.ts";

export { BenchmarkReport, BenchmarkRequest, BenchmarkRow } from "../../shared/domain/compression/benchmarks.ts";

const MAX_CONTENT_LENGTH = 100_000;

const content = filledText(MAX_CONTENT_LENGTH);
const count = z.int();
const share = z.number().min(0).max(1);
/** Null if nothing was measured yet. */
const figure = z.number().nullable();
const times = each(figure, "avg_processing_time_ms", "p95_processing_time_ms");
const moment = z.string();

/** Names of what a request changed, such as `settings.max_iterations`. */
const changed = z.array(z.string());

// ---------------------------------------------------------------- mode and configuration

const mode = z.enum(COMPRESSION_MODES);

export const CompressionModeInForce = z.object({
  mode,
  settings: ModeSettings,
  providers: z.object({ fast: Provider, verify: Provider }),
  performance: measured(z.object({ ...times, success_rate: figure })),
});

export const SetCompressionMode = ModeUpdate;

export const CompressionModeSet = z.object({
  mode,
  previous_mode: mode,
  settings_updated: z.boolean(),
  changed,
  effective_at: moment,
});

export const CompressionConfiguration = CompressionConfig.extend({ engine_version: z.string() });

export const SetCompressionConfiguration = CompressionConfigUpdate;

export const CompressionConfigurationSet = CompressionConfiguration.extend({ changed, effective_at: moment });

// ---------------------------------------------------------------- benchmarks

export const BenchmarkCatalogue = z.object({
  corpora: z.array(z.enum(CORPUS_NAMES)),
  algorithms: z.array(z.enum(ALGORITHM_NAMES)),
  defaults: z.object({ corpus: z.enum(CORPUS_NAMES), iterations: z.int(), min_retention: z.number() }),
});

// ---------------------------------------------------------------- process and test

export const ProcessText = z.object({
  content,
  options: z
    .object({
      extraction_enabled: z.boolean(),
      compression_enabled: z.boolean(),
      verification_enabled: z.boolean(),
      compression_mode: CompressionModeName,
      max_iterations: ModeSettings.shape.max_iterations,
      include_facts: z.boolean().default(true),
      include_entities: z.boolean().default(true),
      include_confidence: z.boolean().default(true),
    })
    .partial()
    .prefault({}),
});

const CompressionDetails = z.object({
  applied: z.boolean(),
  mode,
  algorithm: z.enum(ALGORITHM_NAMES).optional(),
  original_tokens: count,
  compressed_tokens: count,
  reduction_percentage: z.number(),
  retention: z.number(),
  processing_time_ms: z.number(),
});

export const ProcessedText = z.object({
  original_content: z.string(),
  processed_content: z.string(),
  processing_details: z.object({
    extraction: z.object({
      applied: z.boolean(),
      provider: z.string().optional(),
      model: z.string().optional(),
      fallback: z.boolean(),
      iterations: count,
      facts_extracted: count,
      entities_extracted: count,
      confidence: z.number(),
      complexity: z.number(),
      processing_time_ms: z.number(),
    }),
    compression: CompressionDetails,
    verification: z.object({ applied: z.boolean(), facts_rejected: count }),
  }),
  result: z.object({
    content: z.string(),
    facts: z
      .array(z.object({ content: z.string(), category: z.string(), confidence: z.number().optional() }))
      .optional(),
    entities: z.array(z.object({ id: z.string(), name: z.string(), type: z.string() })).optional(),
  }),
});

export const TestCompression = z.object({
  content,
  test_parameters: z
    .object({
      algorithms: z.array(z.enum(ALGORITHM_NAMES)).default([...ALGORITHM_NAMES]),
      modes: z.array(CompressionModeName).default([...COMPRESSION_MODES]),
      iterations: z.int().min(1).max(20).default(3),
      /** For algorithms; a mode has its own minimum. */
      min_retention: share.default(0.9),
      include_content: z.boolean().default(false),
    })
    .refine(({ algorithms, modes }) => algorithms.length + modes.length > 0, {
      path: ["algorithms"],
      message: "name an algorithm or a mode",
    })
    .prefault({}),
});

export const CompressionTrial = z.object({
  original_tokens: count,
  compressed_tokens: count,
  reduction_percentage: z.number(),
  retention: z.number(),
  lossless: z.boolean(),
  avg_latency_ms: z.number(),
  p95_latency_ms: z.number(),
  content: z.string().optional(),
});

export const TestedCompression = z.object({
  iterations: count,
  min_retention: z.number(),
  algorithms: z.partialRecord(z.enum(ALGORITHM_NAMES), CompressionTrial),
  modes: z.partialRecord(mode, CompressionTrial),
  best: z.enum(ALGORITHM_NAMES).nullable(),
});

// ---------------------------------------------------------------- spreading activation

const oneOrMore = z.union([label.transform((one) => [one]), z.array(label).min(1).max(100)]);

/** Filters on the memories at the start and on those activated from them. */
export const ActivationFilters = z.object({ user_id: oneOrMore, category: oneOrMore, type: oneOrMore }).partial();

export const SpreadActivation = z.object({
  query: filledText(MAX_QUERY_LENGTH),
  parameters: z
    .object({
      max_hops: z.int().min(1).max(MAX_HOPS),
      decay_factor: share,
      threshold: share,
      initial_budget: z.number().positive().max(100).default(1),
      include_paths: z.boolean().default(false),
      include_scores: z.boolean().default(true),
      limit: z.int().min(1).max(50).default(10),
    })
    .partial({ max_hops: true, decay_factor: true, threshold: true })
    .prefault({}),
  filters: ActivationFilters.prefault({}),
  context: ActivationFilters.loose()
    .prefault({})
    .describe("Free-form. `user_id`, `category` and `type` mean what they mean in `filters`."),
});

export const SpreadAnswer = z.object({
  query: z.string(),
  parameters: z.object({
    max_hops: z.int(),
    decay_factor: z.number(),
    threshold: z.number(),
    initial_budget: z.number(),
  }),
  context_used: z.array(z.string()),
  results: z.array(
    z.object({
      id: z.string(),
      content: z.string(),
      user_id: z.string().optional(),
      category: z.string().optional(),
      type: z.string().optional(),
      metadata: storedObject,
      created_at: moment,
      score: z.number().optional(),
      activation_score: z.number().optional(),
      hop_distance: z.int(),
      activation_path: z.array(z.object({ node: z.string(), activation: z.number(), hop: z.int() })).optional(),
    }),
  ),
  spreading_stats: z.object({
    initial_nodes: count,
    activated_nodes: count,
    total_hops: count,
    propagation_efficiency: z.number(),
  }),
});

// ---------------------------------------------------------------- statistics

export const ReadCompressionStatistics = z.object({
  scope: z
    .enum(["organization", "deployment"])
    .default("organization")
    .describe("deployment: of all organizations; for the operator only."),
});

export const TierLoad = z.object({ memories: count, tokens: count });

export const TierUsage = z.object({
  ...each(TierLoad, "working_tier", "hot_tier", "cold_tier", "archive_tier"),
  counted_at: moment.nullable(),
});

export const CompressionPoint = z.object({
  at: moment,
  ...each(count, "processed", "failed", "facts", "entities", "tokens_saved"),
  ...times,
  cost_usd: z.number(),
});

export const CompressionStatistics = z.object({
  scope: z.enum(["organization", "deployment"]),
  overall_metrics: z.object({
    processed: count,
    failed: count,
    ...each(figure, "success_rate", "avg_processing_time_ms", "p50_processing_time_ms", "p95_processing_time_ms"),
    alerts: z.array(z.object({ metric: z.string(), value: z.number(), threshold: z.number() })),
  }),
  extraction_stats: z.object({
    texts_extracted: count,
    facts_extracted: count,
    entities_extracted: count,
    ...each(figure, "avg_facts", "avg_entities", "avg_iterations", "avg_confidence"),
    texts_verified: count,
    facts_rejected: count,
    fallbacks: count,
  }),
  compression_stats: z.object({
    ...each(count, "texts_compressed", "original_tokens", "compressed_tokens", "tokens_saved"),
    reduction_percentage: figure,
    compression_ratio: figure,
  }),
  spreading_activation_stats: z.object({
    activations: count,
    ...each(figure, "avg_initial_nodes", "avg_activated_nodes", "avg_hops", "avg_propagation_efficiency"),
    ...times,
  }),
  provider_stats: z.record(
    z.string(),
    z.object({
      ...each(count, "requests", "fallbacks", "input_tokens", "output_tokens"),
      cost_usd: z.number(),
    }),
  ),
  tier_stats: TierUsage,
  time_series: z.object({ hourly: z.array(CompressionPoint), daily: z.array(CompressionPoint) }),
  cost_analysis: z.object({
    total_cost_usd: z.number(),
    avg_cost_per_text_usd: figure,
    cost_by_provider: z.record(z.string(), z.number()),
    input_tokens: count,
    output_tokens: count,
    tokens_saved: count,
  }),
});

// ---------------------------------------------------------------- tiers

export const TierPolicyInForce = z.object({
  policy: PolicyName,
  settings: TierSettings,
  current_usage: measured(TierUsage),
  migration_stats: measured(
    z.object({
      ...each(count, "total_migrations", "promoted", "demoted", "archived", "recalled"),
      by_path: z.record(z.string(), count),
      pending: count,
      past_retention: count,
      last_sweep_at: moment.nullable(),
    }),
  ),
});

export const SetTierPolicy = TierPolicyUpdate;

export const TierPolicySet = z.object({
  policy: PolicyName,
  previous_policy: PolicyName,
  settings_updated: z.boolean(),
  changed,
  migration_initiated: z.boolean(),
  estimated_completion_time: moment.nullable(),
});

// ---------------------------------------------------------------- pipeline

const priority = z
  .literal(PRIORITIES, "must be 0 (critical), 1 (high) or 2 (normal)")
  .meta({ type: "integer", enum: [...PRIORITIES], description: "0 critical, 1 high, 2 normal" });

export const SubmitToPipeline = z.object({
  memory_id: z.string(),
  priority,
  compression_options: z
    .object({
      extract_facts: z.boolean(),
      extract_entities: z.boolean(),
      compress: z.boolean(),
      compression_mode: CompressionModeName,
    })
    .partial()
    .prefault({}),
});

const jobState = z.enum(JOB_STATUSES);

export const SubmittedToPipeline = z.object({
  job_id: z.string(),
  memory_id: z.string(),
  status: jobState,
  priority,
  queue: z.string(),
  submitted_at: moment,
});

export const PipelineQueue = z.object({
  priority,
  queue: z.string(),
  ...each(count, "waiting", "in_flight", "delayed", "dead_letters"),
});

export const PipelineStatus = z.object({
  async_processing: z.boolean(),
  /** Of the whole deployment. */
  queues: z.object({ critical: PipelineQueue, high: PipelineQueue, normal: PipelineQueue }),
  /** Of the organization. */
  jobs: z.record(jobState, count),
  oldest_age_seconds: z.number().nullable(),
  workers: z.object({ pool_size: count, max_attempts: count }),
  recent_failures: z.array(
    z.object({
      job_id: z.string(),
      memory_id: z.string(),
      priority,
      attempts: count,
      error: z.string().optional(),
      submitted_at: moment,
      failed_at: moment.optional(),
    }),
  ),
});
