import type { TextTask } from "../../runtime/text-work/task.ts";
import {
  type BenchmarkReport,
  type BenchmarkRequest,
  type MeasuredOptions,
  measureText,
  type Run,
  runBenchmark,
} from "./benchmarks.ts";
import { loadTokenCounter } from "./condensing/tokens.ts";
import { type Compression, type CompressionOptions, compress } from "./engine.ts";

export const compressionTask: TextTask<{ text: string; options: CompressionOptions }, Compression> = {
  name: "compress",
  inlineSize: 8_000,
  run: ({ text, options }) => compress(text, options),
};

/** Compresses one text repeatedly and measures it. */
export const measureTask: TextTask<{ text: string; options: MeasuredOptions; iterations: number }, Run> = {
  name: "measure_compression",
  inlineSize: 500,
  run: async ({ text, options, iterations }, signal) =>
    measureText(await loadTokenCounter(), text, options, iterations, signal),
};

/** Runs algorithms over a corpus; never inline, because a small request names a large corpus. */
export const benchmarkTask: TextTask<BenchmarkRequest, BenchmarkReport> = {
  name: "benchmark_compression",
  inlineSize: 0,
  run: runBenchmark,
};
