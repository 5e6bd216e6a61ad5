import { timestamp } from "../../kernel/clock.ts";
import type { ModelChoice, TokenUsage } from "../../ports/language-model.ts";
import { MODEL_PROVIDERS } from "../../ports/model-providers.ts";
import type { RecordStore } from "../../ports/record-store.ts";
import type { Runtime } from "../../runtime/context.ts";
import { sumCounters } from "../../runtime/stats/histogram.ts";
import { countEvent, DEPLOYMENT, keyOf, readSeries, type Subject } from "../../runtime/stats/series.ts";
import type { CompressionConfig, ModeRecord } from "../compression/settings.ts";
import { BUILT_IN } from "../models/built-in-model.ts";
import type { Extraction, Runs } from "./extraction.ts";

/** Counters of processed texts of an organization or the deployment, with a latency histogram. */
export const understandingOf = (scope: string): Subject => ({ scope, name: "understanding" });

/** Counters of an organization's or the deployment's requests to one provider. */
export const askedOf = (scope: string, provider: ModelChoice["provider"]): Subject => ({
  scope,
  name: `asked-${provider}`,
});

/** Returns the deployment's use of each remote provider since the hour of `from` (epoch milliseconds), or in total. */
export async function readModelUse(records: RecordStore, from?: number) {
  const remote = MODEL_PROVIDERS.filter((provider) => provider !== BUILT_IN.provider);
  const uses = await Promise.all(remote.map((provider) => readUseOf(records, provider, from)));
  return uses.filter(({ asked }) => asked > 0);
}

/** Returns the counts of one provider: tasks, requests, tokens, tasks that the rules answered, and the last failure. */
async function readUseOf(records: RecordStore, provider: ModelChoice["provider"], from: number | undefined) {
  const subject = askedOf(DEPLOYMENT, provider);
  const [record, points] = await Promise.all([
    records.get(keyOf(subject, "total", 0)),
    from === undefined ? undefined : readSeries(records, subject, "hour", from),
  ]);
  const [reason, at] = [record?.last_failure, record?.last_failure_at];
  const counters = sumCounters(points?.map((point) => point.counters) ?? [record ?? {}]);
  const { asked = 0, calls = 0, input_tokens = 0, output_tokens = 0, fallbacks = 0 } = counters;
  const last_failure = typeof reason === "string" && typeof at === "string" ? { at, reason } : null;
  return { provider, asked, calls, input_tokens, output_tokens, fallbacks, last_failure };
}

type Provider = ModeRecord["providers"]["fast"];

/** Returns the cost of tokens in US dollars. */
export function costOf({ inputTokens, outputTokens }: TokenUsage, { cost_per_1k }: Provider): number {
  return ((inputTokens + outputTokens) / 1000) * cost_per_1k;
}

/** The counters to add to, and the deployment's settings. */
export interface Counting extends Pick<Runtime, "rollups" | "clock"> {
  org: string;
  providers: ModeRecord["providers"];
  monitoring: CompressionConfig["monitoring"];
}

/** The counted result of a text. */
export interface Understood {
  facts: unknown[];
  entities: unknown[];
  compression: { original_tokens: number; compressed_tokens: number };
  processing_ms: number;
}

/** Counts a processed text. */
export function countUnderstanding(counting: Counting, extraction: Extraction, understood: Understood): void {
  const { fast, verify } = counting.providers;
  const { original_tokens, compressed_tokens } = understood.compression;
  const counts = {
    processed: 1,
    extracted: extraction.iterations > 0 ? 1 : 0,
    iterations: extraction.iterations,
    facts: understood.facts.length,
    entities: understood.entities.length,
    verified: extraction.verified ? 1 : 0,
    rejected: extraction.rejected,
    fallbacks: extraction.fallback ? 1 : 0,
    confidence: extraction.confidence,
    compressed: compressed_tokens < original_tokens ? 1 : 0,
    original_tokens,
    compressed_tokens,
    cost_usd: costOf(extraction.usage.fast, fast) + costOf(extraction.usage.verify, verify),
  };
  countIn(counting, understandingOf, counts, understood.processing_ms);
  countReading(counting, extraction);
}

/** Counts the model requests of a text. */
export function countReading(counting: Counting, { usage, runs }: Pick<Extraction, "usage" | "runs">): void {
  const { fast, verify } = counting.providers;
  countAsked(counting, fast, usage.fast, runs.fast);
  countAsked(counting, verify, usage.verify, runs.verify);
}

/** Counts a text that could not be processed. */
export function countFailure(counting: Counting): void {
  countIn(counting, understandingOf, { failed: 1 });
}

/** Counts the requests to a provider, and how often the rules answered instead. */
export function countAsked(counting: Counting, provider: Provider, usage: TokenUsage, runs: Runs): void {
  if (runs.asked === 0) return;
  const { asked, calls, fallbacks, failure } = runs;
  const counts = {
    ...{ asked, calls, fallbacks },
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cost_usd: costOf(usage, provider),
  };
  countIn(counting, (scope) => askedOf(scope, provider.provider), counts);
  if (failure !== undefined) storeFailure(counting, provider, failure);
}

/** Stores a provider's last failure for the whole deployment. */
function storeFailure({ rollups, clock, monitoring }: Counting, { provider }: Provider, failure: string): void {
  if (!monitoring.enabled) return;
  const set = { kind: "rollup", last_failure: failure, last_failure_at: timestamp(clock()) };
  rollups.count(keyOf(askedOf(DEPLOYMENT, provider), "total", clock()), { add: {}, set });
}

function countIn(
  { rollups, clock, org, monitoring }: Counting,
  subjectOf: (scope: string) => Subject,
  counts: Record<string, number>,
  durationMs?: number,
): void {
  if (!monitoring.enabled) return;
  for (const scope of [org, DEPLOYMENT]) {
    countEvent(rollups, subjectOf(scope), clock(), counts, durationMs, monitoring.metrics_retention_days);
  }
}
