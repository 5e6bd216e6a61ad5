import * as z from "zod";
import { MODEL_PROVIDERS } from "../../ports/model-providers.ts";
import { ALGORITHM_NAMES } from "./algorithms/index.ts";
import { COMPRESSION_MODES, type CompressionMode, type CompressionOptions, MODE_PROFILES } from "./engine.ts";

/** Changes whenever the same text may be compressed or measured differently. */
export const ENGINE_VERSION = "1.0.0";

const share = z.number().min(0).max(1);
const days = z.number().int().min(1).max(36_500);

// ---------------------------------------------------------------- mode

/** A mode as named in requests: `conservative` is an alias of `extract`. */
export const CompressionModeName = z
  .enum([...COMPRESSION_MODES, "conservative"])
  .transform((name): CompressionMode => (name === "conservative" ? "extract" : name));

export const ModeSettings = z.object({
  extraction_enabled: z.boolean(),
  compression_enabled: z.boolean(),
  verification_enabled: z.boolean(),
  /** Uncertain results for texts at least this complex are verified and extracted again; others are extracted once. */
  complexity_threshold: share,
  max_iterations: z.number().int().min(1).max(10),
  /** A result with a lower confidence is uncertain. */
  confidence_threshold: share,
});

export const Provider = z.object({
  provider: z.enum(MODEL_PROVIDERS),
  model: z.string().trim().min(1).max(256),
  /** US dollars per 1,000 tokens. */
  cost_per_1k: z.number().min(0).max(1_000),
});

/** The stored part of GET /compression/mode: everything but its performance metrics. */
export const ModeRecord = z.object({
  mode: CompressionModeName,
  settings: ModeSettings,
  providers: z.object({ fast: Provider, verify: Provider }),
});
export type ModeRecord = z.infer<typeof ModeRecord>;

const ProviderUpdate = Provider.partial().strict();

/** PUT /compression/mode: omitted fields keep their value, and an unknown setting is rejected. */
export const ModeUpdate = z.object({
  mode: CompressionModeName,
  settings: ModeSettings.partial().strict().default({}),
  providers: z.strictObject({ fast: ProviderUpdate, verify: ProviderUpdate }).partial().default({}),
});
export type ModeUpdate = z.infer<typeof ModeUpdate>;

const BUILT_IN_RULES = { provider: "built-in", model: "rules", cost_per_1k: 0 } as const;

export const DEFAULT_MODE: ModeRecord = {
  mode: "balanced",
  settings: {
    extraction_enabled: true,
    compression_enabled: true,
    // One request per text is the default; verification and repeated extraction are opt-in.
    verification_enabled: false,
    complexity_threshold: 0.5,
    max_iterations: 1,
    confidence_threshold: 0.8,
  },
  providers: { fast: BUILT_IN_RULES, verify: BUILT_IN_RULES },
};

// ---------------------------------------------------------------- configuration

const Promem = z.object({ enabled: z.boolean() });
const SpreadingActivation = z.object({
  enabled: z.boolean(),
  max_hops: z.number().int().min(1).max(5),
  decay_factor: share,
  threshold: share,
});
const SemanticCompression = z.object({
  enabled: z.boolean(),
  algorithm: z.enum(ALGORITHM_NAMES),
  min_retention: share,
});
const Performance = z.object({
  /** Time limit of extraction: after it, the rules answer instead of the models, and no further iteration starts. */
  max_processing_time_ms: z.number().int().min(1).max(900_000),
  /** Items of a batch request processed concurrently; concurrent writes share commits on a single machine. */
  batch_size: z.number().int().min(1).max(100),
  /** If true, a new memory is acknowledged at once, and workers extract from it and compress it. */
  async_processing: z.boolean(),
  worker_pool_size: z.number().int().min(1).max(100),
});
const AlertThresholds = z.object({
  error_rate: share,
  /** Milliseconds. */
  latency_p95: z.number().min(0),
  accuracy_below: share,
});
const Monitoring = z.object({ enabled: z.boolean(), metrics_retention_days: days, alert_thresholds: AlertThresholds });

/** The stored part of GET /compression/config: everything but `engine_version`, which comes from the code. */
export const CompressionConfig = z.object({
  algorithms: z.object({
    promem: Promem,
    spreading_activation: SpreadingActivation,
    semantic_compression: SemanticCompression,
  }),
  performance: Performance,
  monitoring: Monitoring,
});
export type CompressionConfig = z.infer<typeof CompressionConfig>;

/** PUT /compression/config: any subset of its fields; unknown fields are rejected. */
export const CompressionConfigUpdate = z.strictObject({
  algorithms: z
    .strictObject({
      promem: Promem.partial().strict(),
      spreading_activation: SpreadingActivation.partial().strict(),
      semantic_compression: SemanticCompression.partial().strict(),
    })
    .partial()
    .default({}),
  performance: Performance.partial().strict().default({}),
  monitoring: Monitoring.extend({ alert_thresholds: AlertThresholds.partial().strict() })
    .partial()
    .strict()
    .default({}),
});
export type CompressionConfigUpdate = z.infer<typeof CompressionConfigUpdate>;

export const DEFAULT_CONFIG: CompressionConfig = {
  algorithms: {
    promem: { enabled: true },
    spreading_activation: { enabled: true, max_hops: 3, decay_factor: 0.7, threshold: 0.1 },
    semantic_compression: { enabled: true, ...MODE_PROFILES.balanced },
  },
  performance: { max_processing_time_ms: 20_000, batch_size: 50, async_processing: false, worker_pool_size: 4 },
  monitoring: {
    enabled: true,
    metrics_retention_days: 30,
    // The average confidence of the built-in rules is 0.55 over the built-in corpora.
    alert_thresholds: { error_rate: 0.05, latency_p95: 1_000, accuracy_below: 0.4 },
  },
};

/** The compression options of a mode. The configured algorithm and retention are those of `balanced` only. */
export function profileOf(mode: CompressionMode, { algorithms }: CompressionConfig): CompressionOptions {
  if (mode !== "balanced") return { mode };
  const { algorithm, min_retention } = algorithms.semantic_compression;
  return { mode, algorithm, min_retention };
}
