import { describe, expect, it } from "vitest";
import { ALGORITHM_NAMES } from "./algorithms/index.ts";
import { BENCHMARK_CATALOGUE, BenchmarkRequest, runBenchmark } from "./benchmarks.ts";
import { CORPUS_NAMES, loadCorpus } from "./corpora/index.ts";

const run = (request: unknown) => runBenchmark(BenchmarkRequest.parse(request));

describe("corpora", () => {
  it.each(CORPUS_NAMES)("%s holds at least 50 different texts", async (name) => {
    const samples = await loadCorpus(name);
    expect(new Set(samples).size).toBe(samples.length);
    expect(samples.length).toBeGreaterThanOrEqual(50);
  });

  it("differ in kind: contexts are long, logs repeat", async () => {
    const reductionOf = async (corpus: string) =>
      (await run({ corpus, algorithms: ["smart_radix"], iterations: 1 })).results.smart_radix!.avg_reduction;
    const [memory, long, repetitive] = await Promise.all(CORPUS_NAMES.map(reductionOf));
    expect(repetitive).toBeGreaterThan(long! + 0.1);
    expect(long).toBeGreaterThan(memory!);
  });
});

describe("benchmark", () => {
  it("measures every algorithm on a built-in corpus", async () => {
    const report = await run({ corpus: "agent_memory", iterations: 2 });
    expect(Object.keys(report.results)).toEqual([...ALGORITHM_NAMES]);
    const lossless = { avg_retention: 1, min_retention: 1, expansion_count: 0, error_count: 0 };
    for (const name of ["radix", "smart_radix", "gzip"] as const) expect(report.results[name]).toMatchObject(lossless);
    const { smart_hybrid, real_best, gzip } = report.results;
    expect(smart_hybrid!.avg_reduction).toBeGreaterThan(0.2);
    expect(smart_hybrid!.avg_retention).toBeGreaterThanOrEqual(0.9);
    expect(real_best!.avg_reduction).toBeGreaterThanOrEqual(smart_hybrid!.avg_reduction);
    expect(real_best!.retention_below_target).toBe(0);
    expect(gzip!.avg_byte_reduction).toBeGreaterThan(0);
    expect(gzip!.bytes_saved_total).toBeGreaterThan(0);
    for (const row of Object.values(report.results)) {
      expect(row.p95_reduction).toBeGreaterThanOrEqual(row.median_reduction);
      expect(row.p95_latency_ms).toBeGreaterThan(0);
      expect(row.throughput_per_second).toBeCloseTo(1_000 / row.avg_latency_ms, 6);
    }
  });

  it("computes its figures from the samples", async () => {
    const plain = "Nothing here is said twice, not even once more.";
    const repeated = "the quarterly planning meeting of the northern region. ".repeat(10);
    const { results, corpus, sample_count } = await run({ samples: [plain, repeated], algorithms: ["smart_radix"] });
    expect([corpus, sample_count]).toEqual(["custom", 2]);
    const row = results.smart_radix!;
    expect(row.median_reduction).toBe(0);
    expect(row.p95_reduction).toBeGreaterThan(0.4);
    expect(row.avg_reduction).toBeCloseTo(row.p95_reduction / 2, 9);
  });

  it("accepts empty samples", async () => {
    const { results } = await run({ samples: [""], algorithms: ["real_best"], min_retention: 1 });
    expect(results.real_best).toMatchObject({ avg_reduction: 0, avg_retention: 1, retention_below_target: 0 });
  });

  it("includes examples if requested", async () => {
    const request = { samples: ["I went to the museum yesterday and it was so great."], algorithms: ["real_best"] };
    expect((await run(request)).results.real_best!.examples).toBeUndefined();
    const [example] = (await run({ ...request, include_examples: true })).results.real_best!.examples ?? [];
    expect(example!.original).toBe(request.samples[0]);
    expect(example!.compressed_tokens).toBeLessThan(example!.original_tokens);
  });

  it("has the contract's defaults", () => {
    expect(BENCHMARK_CATALOGUE).toEqual({
      corpora: ["agent_memory", "long_context", "repetitive"],
      algorithms: ["radix", "smart_radix", "smart_hybrid", "real_best", "gzip"],
      defaults: { corpus: "agent_memory", iterations: 3, min_retention: 0.9 },
    });
    expect(BenchmarkRequest.parse({})).toMatchObject({ iterations: 3, min_retention: 0.9 });
  });

  it.each([
    { corpus: "novels" },
    { algorithms: ["zstd"] },
    { algorithms: [] },
    { iterations: 0 },
    { min_retention: 1.1 },
    { samples: [] },
    { corpus: "agent_memory", samples: ["both"] },
    { corpus: "custom" },
  ])("refuses %j", (request) => {
    expect(BenchmarkRequest.safeParse(request).success).toBe(false);
  });
});

describe("a benchmark that takes too long", () => {
  it("stops with the signal's reason", async () => {
    const reason = new Error("time is up");
    const request = BenchmarkRequest.parse({ corpus: "agent_memory" });
    await expect(runBenchmark(request, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});
