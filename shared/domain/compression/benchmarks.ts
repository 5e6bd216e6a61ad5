import { setImmediate as nextTurn } from "node:timers/promises";
import * as z from "zod";
import { ALGORITHM_NAMES, ALGORITHMS, type AlgorithmName, decode } from "./algorithms/index.ts";
import { loadTokenCounter, type TokenCounter } from "./condensing/tokens.ts";
import { CORPUS_NAMES, loadCorpus } from "./corpora/index.ts";
import { type Compression, compressWith } from "./engine.ts";

/** Name of a corpus that the caller supplies. */
const CUSTOM = "custom";
const MAX_SAMPLES = 500;
const MAX_SAMPLE_CHARACTERS = 100_000;
const MAX_EXAMPLES = 3;
const EXAMPLE_CHARACTERS = 400;

const DEFAULTS = { corpus: "agent_memory", iterations: 3, min_retention: 0.9 } as const;

/** Body of POST /compression/benchmarks/run: a built-in corpus or the caller's own samples. */
export const BenchmarkRequest = z
  .object({
    corpus: z.enum([...CORPUS_NAMES, CUSTOM]).optional(),
    samples: z.array(z.string().max(MAX_SAMPLE_CHARACTERS)).min(1).max(MAX_SAMPLES).optional(),
    algorithms: z
      .array(z.enum(ALGORITHM_NAMES))
      .min(1)
      .default([...ALGORITHM_NAMES]),
    iterations: z.number().int().min(1).max(20).default(DEFAULTS.iterations),
    min_retention: z.number().min(0).max(1).default(DEFAULTS.min_retention),
    include_examples: z.boolean().default(false),
  })
  .refine(({ corpus, samples }) => (samples === undefined ? corpus !== CUSTOM : (corpus ?? CUSTOM) === CUSTOM), {
    path: ["corpus"],
    message: "a built-in corpus takes no samples, a custom one needs them",
  });
export type BenchmarkRequest = z.infer<typeof BenchmarkRequest>;

const BenchmarkExample = z.object({
  /** Truncated to 400 characters, like `compressed`. */
  original: z.string(),
  compressed: z.string(),
  original_tokens: z.int(),
  compressed_tokens: z.int(),
  retention: z.number(),
});

/** Shares are 0..1, of tokens (reduction) or of salience (retention). Latencies are per text. */
export const BenchmarkRow = z.object({
  avg_reduction: z.number(),
  median_reduction: z.number(),
  p95_reduction: z.number(),
  /** Reduction of bytes at rest, which is all that gzip reduces. */
  avg_byte_reduction: z.number(),
  avg_retention: z.number(),
  min_retention: z.number(),
  avg_latency_ms: z.number(),
  p95_latency_ms: z.number(),
  throughput_per_second: z.number(),
  bytes_saved_total: z.int(),
  /** Samples whose result has more tokens or more bytes than the text. */
  expansion_count: z.int(),
  /** Samples that failed, or whose lossless result did not decode to the text. `errors` has the first messages. */
  error_count: z.int(),
  errors: z.array(z.string()).optional(),
  /** Samples with less retention than requested. */
  retention_below_target: z.int(),
  examples: z.array(BenchmarkExample).optional(),
});
type BenchmarkRow = z.infer<typeof BenchmarkRow>;

export const BenchmarkReport = z.object({
  corpus: z.string(),
  sample_count: z.int(),
  iterations: z.int(),
  target_retention: z.number(),
  results: z.partialRecord(z.enum(ALGORITHM_NAMES), BenchmarkRow),
});
export type BenchmarkReport = z.infer<typeof BenchmarkReport>;

/** GET /compression/benchmarks. */
export const BENCHMARK_CATALOGUE = { corpora: CORPUS_NAMES, algorithms: ALGORITHM_NAMES, defaults: DEFAULTS };

/** Measures each algorithm on each sample, `iterations` times. Throws the signal's reason if it is aborted. */
export async function runBenchmark(request: BenchmarkRequest, signal?: AbortSignal): Promise<BenchmarkReport> {
  const tokens = await loadTokenCounter();
  const { iterations, min_retention, include_examples } = request;
  const { corpus, samples } = await samplesOf(request);
  const results: BenchmarkReport["results"] = {};
  for (const algorithm of new Set(request.algorithms)) {
    const outcomes = await measure(tokens, samples, algorithm, request, signal);
    const runs = outcomes.filter((outcome): outcome is Run => !(outcome instanceof Error));
    const errors = outcomes.filter((outcome) => outcome instanceof Error);
    results[algorithm] = { ...summarize(runs, min_retention), error_count: errors.length };
    if (errors.length > 0) results[algorithm].errors = errors.slice(0, MAX_EXAMPLES).map(({ message }) => message);
    if (include_examples) results[algorithm].examples = runs.slice(0, MAX_EXAMPLES).map(exampleOf);
  }
  return { corpus, sample_count: samples.length, iterations, target_retention: min_retention, results };
}

/** Returns the samples of a benchmark and the name of their corpus. */
export async function samplesOf({
  corpus,
  samples,
}: BenchmarkRequest): Promise<{ corpus: BenchmarkReport["corpus"]; samples: readonly string[] }> {
  if (samples !== undefined) return { corpus: CUSTOM, samples };
  const builtIn = corpus === undefined || corpus === CUSTOM ? DEFAULTS.corpus : corpus;
  return { corpus: builtIn, samples: await loadCorpus(builtIn) };
}

export interface MeasuredOptions {
  algorithm: AlgorithmName;
  min_retention: number;
}

export interface Run {
  text: string;
  compression: Compression;
  /** Milliseconds, one value per iteration. */
  latencies: number[];
}

/** Returns one outcome per sample: the measured run, or the error it failed with. */
async function measure(
  tokens: TokenCounter,
  samples: readonly string[],
  algorithm: AlgorithmName,
  { iterations, min_retention }: BenchmarkRequest,
  signal: AbortSignal | undefined,
): Promise<(Run | Error)[]> {
  const outcomes: (Run | Error)[] = [];
  for (const text of samples) {
    try {
      outcomes.push(await measureText(tokens, text, { algorithm, min_retention }, iterations, signal));
    } catch (error) {
      signal?.throwIfAborted();
      outcomes.push(error instanceof Error ? error : new Error(String(error)));
    }
  }
  return outcomes;
}

/**
 * Compresses one text, with `iterations` timed runs. Yields to the event loop between runs because they may take
 * seconds. Throws if a lossless algorithm does not restore the text, and throws the signal's reason if the signal is
 * aborted.
 */
export async function measureText(
  tokens: TokenCounter,
  text: string,
  options: MeasuredOptions,
  iterations: number,
  signal: AbortSignal | undefined,
): Promise<Run> {
  // Not timed: the first call for a text fills the tokenizer's cache.
  let compression = compressWith(tokens, text, options);
  const latencies: number[] = [];
  for (let iteration = 0; iteration < iterations; iteration++) {
    await nextTurn();
    signal?.throwIfAborted();
    const started = performance.now();
    compression = compressWith(tokens, text, options);
    latencies.push(performance.now() - started);
  }
  const recovered = decode(compression);
  if (ALGORITHMS[options.algorithm].lossless && recovered !== text) {
    throw new Error(`${options.algorithm} did not restore the text`);
  }
  return { text, compression, latencies };
}

/** Returns the metrics of one algorithm over several texts. */
export function summarize(runs: Run[], minRetention: number): Omit<BenchmarkRow, "error_count"> {
  const compressions = runs.map(({ compression }) => compression);
  const reductions = compressions.map((result) => savedShare(result.original_tokens, result.compressed_tokens));
  const byteReductions = compressions.map((result) => savedShare(result.original_bytes, result.compressed_bytes));
  const retentions = compressions.map(({ retention }) => retention);
  const latencies = runs.flatMap((run) => run.latencies);
  const expanded = compressions.filter(
    (result) => result.compressed_tokens > result.original_tokens || result.compressed_bytes > result.original_bytes,
  );
  return {
    avg_reduction: mean(reductions),
    median_reduction: percentile(reductions, 0.5),
    p95_reduction: percentile(reductions, 0.95),
    avg_byte_reduction: mean(byteReductions),
    avg_retention: mean(retentions),
    min_retention: percentile(retentions, 0),
    avg_latency_ms: mean(latencies),
    p95_latency_ms: percentile(latencies, 0.95),
    throughput_per_second: latencies.length === 0 ? 0 : 1_000 / mean(latencies),
    bytes_saved_total: compressions.reduce((sum, result) => sum + result.original_bytes - result.compressed_bytes, 0),
    expansion_count: expanded.length,
    retention_below_target: retentions.filter((retention) => retention < minRetention).length,
  };
}

function exampleOf({ text, compression }: Run): z.infer<typeof BenchmarkExample> {
  return {
    original: text.slice(0, EXAMPLE_CHARACTERS).toWellFormed(),
    compressed: compression.content.slice(0, EXAMPLE_CHARACTERS).toWellFormed(),
    original_tokens: compression.original_tokens,
    compressed_tokens: compression.compressed_tokens,
    retention: compression.retention,
  };
}

function savedShare(before: number, after: number): number {
  return before === 0 ? 0 : 1 - after / before;
}

function mean(values: number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Nearest-rank percentile: the smallest value that at least that share of the values does not exceed. */
function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
