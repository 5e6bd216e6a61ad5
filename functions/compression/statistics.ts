import type { CompressionConfig } from "../../shared/domain/compression/settings.ts";
import { compressionConfig } from "../../shared/domain/compression/stored-settings.ts";
import { askedOf, understandingOf } from "../../shared/domain/memory/metrics.ts";
import { readActivationStatistics } from "../../shared/domain/retrieval/spread-from.ts";
import { HOUR_MS } from "../../shared/kernel/durations.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { MODEL_PROVIDERS } from "../../shared/ports/model-providers.ts";
import { requireOperator } from "../../shared/runtime/access/operator.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { percentile } from "../../shared/runtime/stats/histogram.ts";
import { DEPLOYMENT, type Granularity, readSeries, readTotal } from "../../shared/runtime/stats/series.ts";
import type * as schemas from "./schemas.ts";
import { readDeploymentUsage, readOwnUsage } from "./tiers.ts";

type Counters = Record<string, number>;

const SHOWN_MS: Record<Granularity, number> = { hour: 48 * HOUR_MS, day: 30 * 24 * HOUR_MS };

/** Statistics of the caller's organization or, for the operator, of the whole deployment. Throws FORBIDDEN. */
export async function readStatistics(
  ctx: Context,
  { scope: requested }: Input<typeof schemas.ReadCompressionStatistics>,
) {
  const isWhole = requested === "deployment";
  if (isWhole) requireOperator(ctx.principal);
  const scope = isWhole ? DEPLOYMENT : ctx.org;
  const { records } = ctx.ports;
  await ctx.rollups.flush();
  const [{ monitoring }, counters, provider_stats, spreading_activation_stats, tier_stats, hourly, daily] =
    await Promise.all([
      ctx.settings.read(compressionConfig),
      readTotal(records, understandingOf(scope)),
      readProviders(ctx, scope),
      readActivationStatistics(records, scope),
      isWhole ? readDeploymentUsage(ctx) : readOwnUsage(ctx),
      readPoints(ctx, scope, "hour"),
      readPoints(ctx, scope, "day"),
    ]);
  return {
    scope: requested,
    overall_metrics: overallMetrics(counters, monitoring.alert_thresholds),
    extraction_stats: extractionStatistics(counters),
    compression_stats: compressionStatistics(counters),
    spreading_activation_stats,
    provider_stats,
    tier_stats,
    time_series: { hourly, daily },
    cost_analysis: costAnalysis(counters, provider_stats),
  };
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

type Thresholds = CompressionConfig["monitoring"]["alert_thresholds"];

function overallMetrics(counters: Counters, thresholds: Thresholds) {
  const { processed = 0, failed = 0 } = counters;
  return {
    processed,
    failed,
    ...performanceIn(counters),
    p50_processing_time_ms: percentile(counters, 0.5),
    alerts: alertsOf(counters, thresholds),
  };
}

/** Returns the breached thresholds; a value that was not measured breaches no threshold. */
function alertsOf(counters: Counters, thresholds: Thresholds) {
  const { processed = 0, failed = 0, extracted = 0, confidence = 0 } = counters;
  const measured = {
    error_rate: ratio(failed, processed + failed),
    latency_p95: percentile(counters, 0.95),
    accuracy_below: ratio(confidence, extracted),
  };
  return (["error_rate", "latency_p95", "accuracy_below"] as const).flatMap((metric) => {
    const value = measured[metric];
    const threshold = thresholds[metric];
    if (value === null) return [];
    const isBreached = metric === "accuracy_below" ? value < threshold : value > threshold;
    return isBreached ? [{ metric, value, threshold }] : [];
  });
}

function extractionStatistics(counters: Counters) {
  const { extracted = 0, facts = 0, entities = 0, iterations = 0, confidence = 0 } = counters;
  const { verified = 0, rejected = 0, fallbacks = 0 } = counters;
  return {
    texts_extracted: extracted,
    facts_extracted: facts,
    entities_extracted: entities,
    avg_facts: ratio(facts, extracted),
    avg_entities: ratio(entities, extracted),
    avg_iterations: ratio(iterations, extracted),
    avg_confidence: ratio(confidence, extracted),
    texts_verified: verified,
    facts_rejected: rejected,
    fallbacks,
  };
}

function compressionStatistics({ compressed = 0, original_tokens = 0, compressed_tokens = 0 }: Counters) {
  const tokens_saved = original_tokens - compressed_tokens;
  const saved = ratio(tokens_saved, original_tokens);
  return {
    texts_compressed: compressed,
    original_tokens,
    compressed_tokens,
    tokens_saved,
    reduction_percentage: saved === null ? null : 100 * saved,
    compression_ratio: ratio(compressed_tokens, original_tokens),
  };
}

type ProviderMetrics = Input<typeof schemas.CompressionStatistics>["provider_stats"];

/** Model usage by provider, without unused providers. */
async function readProviders({ ports }: Context, scope: string): Promise<ProviderMetrics> {
  const totals = await Promise.all(
    MODEL_PROVIDERS.map((provider) => readTotal(ports.records, askedOf(scope, provider))),
  );
  const metrics = MODEL_PROVIDERS.map((provider, index) => {
    const { asked = 0, fallbacks = 0, input_tokens = 0, output_tokens = 0, cost_usd = 0 } = totals[index] ?? {};
    return [provider, { requests: asked, fallbacks, input_tokens, output_tokens, cost_usd }] as const;
  });
  return Object.fromEntries(metrics.filter(([, { requests }]) => requests > 0));
}

function costAnalysis(
  { processed = 0, original_tokens = 0, compressed_tokens = 0 }: Counters,
  providers: ProviderMetrics,
) {
  const metrics = Object.values(providers);
  const sum = (name: "cost_usd" | "input_tokens" | "output_tokens") =>
    metrics.reduce((total, metric) => total + metric[name], 0);
  return {
    total_cost_usd: sum("cost_usd"),
    avg_cost_per_text_usd: ratio(sum("cost_usd"), processed),
    cost_by_provider: Object.fromEntries(
      Object.entries(providers).map(([provider, { cost_usd }]) => [provider, cost_usd]),
    ),
    input_tokens: sum("input_tokens"),
    output_tokens: sum("output_tokens"),
    tokens_saved: original_tokens - compressed_tokens,
  };
}

/** The last hours or days with activity, oldest first. */
async function readPoints({ ports, clock }: Context, scope: string, granularity: Granularity) {
  const from = clock() - SHOWN_MS[granularity];
  const points = await readSeries(ports.records, understandingOf(scope), granularity, from);
  return points.map(({ at, counters }) => {
    const { processed = 0, failed = 0, facts = 0, entities = 0, cost_usd = 0 } = counters;
    const { tokens_saved } = compressionStatistics(counters);
    return { at, processed, failed, facts, entities, tokens_saved, ...performanceIn(counters), cost_usd };
  });
}

/** Speed and success rate of processing from counters of a time range; each value is null without data. */
export function performanceIn(counters: Counters) {
  const { processed = 0, failed = 0, duration_ms = 0 } = counters;
  return {
    avg_processing_time_ms: ratio(duration_ms, processed),
    p95_processing_time_ms: percentile(counters, 0.95),
    success_rate: ratio(processed, processed + failed),
  };
}
