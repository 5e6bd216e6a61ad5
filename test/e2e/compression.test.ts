import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ALGORITHM_NAMES } from "../../shared/domain/compression/algorithms/index.ts";
import { loadCorpus } from "../../shared/domain/compression/corpora/index.ts";
import { COMPRESSION_MODES } from "../../shared/domain/compression/engine.ts";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";
import { createOrganization, openService, type TestedService } from "../support/service.ts";
import { Caller, onceAllKnow, openTestedService } from "../support/target.ts";

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const TIERS = ["working_tier", "hot_tier", "cold_tier", "archive_tier"];

let service: TestedService;
/** The deployment's operator, and a caller with all permissions in another organization. */
let operator: Caller;
let tenant: Caller;

beforeAll(async () => {
  service = await openTestedService();
  operator = new Caller(service, service.adminKey);
});
afterAll(() => service.close());
beforeEach(async () => {
  tenant = new Caller(service, (await createOrganization(service)).key);
});

/** Repeats a check until earlier stored memories are counted; functions write the counts with a later request. */
const onceCounted = <T>(check: () => Promise<T>) =>
  onceAllKnow(async () => {
    await tenant.get("/memories");
    return check();
  });

async function expectInvalid(sent: Promise<{ status: number; body: { error: { code: string; details: object } } }>) {
  const { status, body } = await sent;
  expect([status, body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
  return body.error?.details as { fields: { field: string; problem: string }[] };
}

describe("the compression mode", () => {
  let initial: { mode: string; settings: object; providers: object };

  beforeAll(async () => {
    initial = (await operator.get("/compression/mode")).body.data;
  });
  afterEach(async () => {
    const { mode, settings, providers } = initial;
    expect((await operator.put("/compression/mode", { mode, settings, providers })).status).toBe(200);
  });

  it("is balanced by default, with settings, providers and measured performance", async () => {
    expect(initial.mode).toBe("balanced");
    expect(Object.keys(initial.settings).sort()).toEqual([
      "complexity_threshold",
      "compression_enabled",
      "confidence_threshold",
      "extraction_enabled",
      "max_iterations",
      "verification_enabled",
    ]);
    expect(initial.providers).toEqual({
      fast: { provider: "built-in", model: "rules", cost_per_1k: 0 },
      verify: { provider: "built-in", model: "rules", cost_per_1k: 0 },
    });
    await tenant.post("/memories", { content: "Ada lives in Zurich and works at Acme." });
    await onceCounted(async () => {
      const { performance } = (await tenant.get("/compression/mode")).body.data;
      expect(performance.avg_processing_time_ms).toBeGreaterThan(0);
      expect(performance.p95_processing_time_ms).toBeGreaterThan(0);
      expect(performance.success_rate).toBe(1);
    });
  });

  it("is set by the operator for all organizations, with immediate effect", async () => {
    const update = { mode: "aggressive", settings: { max_iterations: 2, confidence_threshold: 0.5 } };
    const { status, body } = await operator.put("/compression/mode", update);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      mode: "aggressive",
      previous_mode: "balanced",
      settings_updated: true,
      changed: ["mode", "settings.max_iterations", "settings.confidence_threshold"],
      effective_at: expect.stringMatching(ISO),
    });
    const { mode, settings } = (await tenant.get("/compression/mode")).body.data;
    expect(mode).toBe("aggressive");
    expect(settings).toEqual({ ...initial.settings, ...update.settings });
  });

  it("reports that only the mode changed, and accepts conservative for extract", async () => {
    const { body } = await operator.put("/compression/mode", { mode: "conservative" });
    expect(body.data).toMatchObject({ mode: "extract", settings_updated: false, changed: ["mode"] });
  });

  it("controls the processing of new memories", async () => {
    const content = "Ada moved to Lisbon in March 2024. Ada works at Acme and she really likes strong black tea.";
    const store = async () => (await tenant.post("/memories", { content })).body.data;
    const expectUnderstood = async () => {
      const { entities, facts, compression } = await store();
      expect(entities.length * facts.length).toBeGreaterThan(0);
      expect(compression.reduction_percentage).toBeGreaterThan(0);
    };
    await expectUnderstood();
    const settings = { extraction_enabled: false, compression_enabled: false };
    await operator.put("/compression/mode", { mode: "balanced", settings });
    await onceAllKnow(async () => {
      const { entities, facts, compression } = await store();
      expect([entities, facts, compression.reduction_percentage]).toEqual([[], [], 0]);
    });
    await operator.put("/compression/mode", { mode: "balanced", settings: initial.settings });
    await onceAllKnow(expectUnderstood);
  });

  it("can only be set by the operator", async () => {
    const { status, body } = await tenant.put("/compression/mode", { mode: "extract" });
    expect([status, body.error?.code]).toEqual([403, "FORBIDDEN"]);
    expect((await tenant.get("/compression/mode")).body.data.mode).toBe("balanced");
  });

  it.each([
    [{}, "mode"],
    [{ mode: "turbo" }, "mode"],
    [{ mode: "balanced", settings: { complexity_threshold: -0.1 } }, "settings.complexity_threshold"],
    [{ mode: "balanced", settings: { confidence_threshold: 1.5 } }, "settings.confidence_threshold"],
    [{ mode: "balanced", settings: { max_iterations: 0 } }, "settings.max_iterations"],
    [{ mode: "balanced", settings: { speed: 11 } }, "settings.speed"],
    [{ mode: "balanced", providers: { fast: { provider: "oracle" } } }, "providers.fast.provider"],
    [{ mode: "balanced", providers: { verify: { cost_per_1k: -1 } } }, "providers.verify.cost_per_1k"],
  ])("rejects %j and names %s", async (update, field) => {
    const { fields } = await expectInvalid(operator.put("/compression/mode", update));
    expect(fields.map((each) => each.field)).toEqual([field]);
  });

  it("rejects a provider that is not available", async () => {
    const providers = { fast: { provider: "bedrock", model: "amazon.nova-lite-v1:0" } };
    const { fields } = await expectInvalid(operator.put("/compression/mode", { mode: "balanced", providers }));
    expect(fields[0]).toMatchObject({ field: "providers.fast.provider" });
  });
});

describe("the compression configuration", () => {
  let initial: { engine_version: string; performance: object; algorithms: object; monitoring: object };

  beforeAll(async () => {
    initial = (await operator.get("/compression/config")).body.data;
  });
  afterEach(async () => {
    expect((await operator.put("/compression/config", initial)).status).toBe(200);
  });

  it("has the documented shape", () => {
    expect(initial).toEqual({
      engine_version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      algorithms: {
        promem: expect.any(Object),
        spreading_activation: expect.any(Object),
        semantic_compression: expect.any(Object),
      },
      performance: {
        max_processing_time_ms: expect.any(Number),
        batch_size: expect.any(Number),
        async_processing: false,
        worker_pool_size: expect.any(Number),
      },
      monitoring: {
        enabled: true,
        metrics_retention_days: expect.any(Number),
        alert_thresholds: {
          error_rate: expect.any(Number),
          latency_p95: expect.any(Number),
          accuracy_below: expect.any(Number),
        },
      },
    });
  });

  it("accepts a partial update and keeps the rest", async () => {
    const { status, body } = await operator.put("/compression/config", { performance: { worker_pool_size: 9 } });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ changed: ["performance.worker_pool_size"], effective_at: expect.any(String) });
    expect((await tenant.get("/compression/config")).body.data).toEqual({
      ...initial,
      performance: { ...initial.performance, worker_pool_size: 9 },
    });
  });

  it("reports no change if it is written back unchanged", async () => {
    const { status, body } = await operator.put("/compression/config", initial);
    expect([status, body.data.changed]).toEqual([200, []]);
  });

  it("loses neither of two concurrent changes", async () => {
    await Promise.all([
      operator.put("/compression/config", { performance: { batch_size: 7 } }),
      operator.put("/compression/config", { monitoring: { metrics_retention_days: 5 } }),
    ]);
    await onceAllKnow(async () => {
      const { performance, monitoring } = (await operator.get("/compression/config")).body.data;
      expect([performance.batch_size, monitoring.metrics_retention_days]).toEqual([7, 5]);
    });
  });

  it("disables compression and extraction", async () => {
    const algorithms = { promem: { enabled: false }, semantic_compression: { enabled: false } };
    await operator.put("/compression/config", { algorithms });
    const { processing_details } = (
      await tenant.post("/compression/process", { content: "Ada really likes strong black tea very much indeed." })
    ).body.data;
    expect(processing_details.extraction.applied).toBe(false);
    expect(processing_details.compression.applied).toBe(false);
  });

  it.each([
    [{ colour: "red" }, "colour", "Unknown"],
    [{ performance: { workers: 8 } }, "performance.workers", "Unknown"],
    [{ algorithms: { zip: {} } }, "algorithms.zip", "Unknown"],
    [{ monitoring: { alert_thresholds: { noise: 1 } } }, "monitoring.alert_thresholds.noise", "Unknown"],
    [{ performance: { worker_pool_size: 0 } }, "performance.worker_pool_size", ""],
    [{ algorithms: { spreading_activation: { max_hops: 6 } } }, "algorithms.spreading_activation.max_hops", ""],
    [
      { algorithms: { semantic_compression: { min_retention: -1 } } },
      "algorithms.semantic_compression.min_retention",
      "",
    ],
    [{ engine_version: "99.0.0" }, "engine_version", ""],
  ])("rejects %j by name", async (update, field, named) => {
    const { fields } = await expectInvalid(operator.put("/compression/config", update));
    expect(fields).toEqual([{ field, problem: expect.stringContaining(named) }]);
  });

  it("can only be changed by the operator", async () => {
    const { status, body } = await tenant.put("/compression/config", { performance: { batch_size: 3 } });
    expect([status, body.error?.code]).toEqual([403, "FORBIDDEN"]);
  });
});

describe("benchmarks", () => {
  it("are listed without an envelope", async () => {
    expect((await tenant.get("/compression/benchmarks")).body).toEqual({
      corpora: ["agent_memory", "long_context", "repetitive"],
      algorithms: ["radix", "smart_radix", "smart_hybrid", "real_best", "gzip"],
      defaults: { corpus: "agent_memory", iterations: 3, min_retention: 0.9 },
    });
  });

  it("measure a built-in corpus with all documented metrics", async () => {
    const { status, body } = await tenant.post("/compression/benchmarks/run", { corpus: "repetitive", iterations: 1 });
    expect(status, JSON.stringify(body)).toBe(200);
    const { corpus, sample_count, results } = body.data;
    expect([corpus, Object.keys(results)]).toEqual(["repetitive", [...ALGORITHM_NAMES]]);
    expect(sample_count).toBeGreaterThanOrEqual(50);
    for (const row of Object.values<Record<string, number>>(results)) {
      expect(Object.keys(row)).toEqual(
        expect.arrayContaining([
          ...["avg_reduction", "median_reduction", "p95_reduction", "avg_retention", "min_retention"],
          ...["avg_latency_ms", "p95_latency_ms", "throughput_per_second", "bytes_saved_total"],
          ...["expansion_count", "error_count", "retention_below_target"],
        ]),
      );
      expect([row.expansion_count, row.error_count, row.retention_below_target]).toEqual([0, 0, 0]);
    }
    expect(results.real_best.avg_reduction).toBeGreaterThan(results.radix.avg_reduction);
  });

  it("measure given samples, with examples", async () => {
    const samples = [
      "the quarterly planning meeting of the northern region. ".repeat(8),
      "Nothing twice here, at all.",
    ];
    const request = { samples, algorithms: ["smart_radix"], iterations: 1, include_examples: true };
    const { corpus, results } = (await tenant.post("/compression/benchmarks/run", request)).body.data;
    expect([corpus, Object.keys(results)]).toEqual(["custom", ["smart_radix"]]);
    expect(results.smart_radix.examples.map(({ original }: { original: string }) => original)).toEqual(
      samples.map((sample) => sample.slice(0, 400)),
    );
  });

  it("are rejected if they exceed the work limit of a request, which the error names", async () => {
    const samples = Array.from({ length: 9 }, () => "word ".repeat(10_000));
    const request = { samples, iterations: 20 };
    const { fields } = await expectInvalid(tenant.post("/compression/benchmarks/run", request));
    expect(fields).toEqual([{ field: "iterations", problem: expect.stringContaining("8000000") }]);
  });

  it.each([
    { corpus: "poetry" },
    { algorithms: ["zstd"] },
    { algorithms: [] },
    { iterations: 0 },
    { min_retention: -0.1 },
    { samples: [] },
    { samples: ["x"], corpus: "repetitive" },
  ])("reject %j", async (request) => {
    await expectInvalid(tenant.post("/compression/benchmarks/run", request));
  });

  it("require a permission that can be granted by name", async () => {
    const keyWith = async (permission: string) => {
      const { body } = await tenant.post("/api-keys", { name: permission, permissions: [permission] });
      return tenant.as(body.data.key);
    };
    const request = { samples: ["Ada prefers tea."], iterations: 1 };
    const allowed = await (await keyWith("compression:benchmark")).post("/compression/benchmarks/run", request);
    expect(allowed.status).toBe(200);
    const denied = await (await keyWith("memory:write")).post("/compression/benchmarks/run", request);
    expect([denied.status, denied.body.error?.code]).toEqual([403, "PERMISSION_DENIED"]);
  });
});

describe("processing a text", () => {
  const content =
    "Ada moved to Lisbon in March 2024, and she really does like it there very much. Ada works at Acme as an engineer. " +
    "I think that she would like to visit her brother Tom in Berlin at some point, if she can find the time for it.";

  it("returns the processed text with details, and stores nothing", async () => {
    const { status, body } = await tenant.post("/compression/process", { content });
    expect(status, JSON.stringify(body)).toBe(200);
    const { original_content, processed_content, processing_details, result } = body.data;
    expect(original_content).toBe(content);
    expect(processed_content.length).toBeLessThan(content.length);
    expect(result.content).toBe(processed_content);
    const { extraction, compression, verification } = processing_details;
    expect(extraction).toMatchObject({ applied: true, provider: "built-in", model: "rules", fallback: false });
    expect(extraction.facts_extracted).toBe(result.facts.length);
    expect(extraction.entities_extracted).toBe(result.entities.length);
    expect(result.entities.map(({ name }: { name: string }) => name)).toEqual(
      expect.arrayContaining(["Ada", "Lisbon"]),
    );
    expect(result.facts[0]).toEqual({
      content: expect.any(String),
      category: expect.any(String),
      confidence: expect.any(Number),
    });
    expect(compression).toMatchObject({ applied: true, mode: "balanced", algorithm: "smart_hybrid" });
    expect(compression.compressed_tokens).toBeLessThan(compression.original_tokens);
    expect(compression.retention).toBeGreaterThanOrEqual(0.9);
    expect(verification).toEqual({ applied: expect.any(Boolean), facts_rejected: expect.any(Number) });
    expect((await tenant.get("/memories")).body.data.memories).toEqual([]);
  });

  it("skips the steps and omits the fields that the options disable", async () => {
    const options = {
      extraction_enabled: false,
      compression_enabled: false,
      include_facts: false,
      include_entities: false,
    };
    const { processed_content, processing_details, result } = (
      await tenant.post("/compression/process", { content, options })
    ).body.data;
    expect(processed_content).toBe(content);
    expect(processing_details.extraction).toMatchObject({ applied: false, iterations: 0, facts_extracted: 0 });
    expect(processing_details.compression).toMatchObject({ applied: false, reduction_percentage: 0, retention: 1 });
    expect(result).toEqual({ content });
    const unsure = (await tenant.post("/compression/process", { content, options: { include_confidence: false } })).body
      .data;
    for (const fact of unsure.result.facts) expect(Object.keys(fact).sort()).toEqual(["category", "content"]);
  });

  it("verifies unless verification is disabled", async () => {
    const long = (await loadCorpus("long_context"))[0];
    const verified = async (verification_enabled: boolean) =>
      (await tenant.post("/compression/process", { content: long, options: { verification_enabled } })).body.data
        .processing_details.verification.applied;
    expect([await verified(true), await verified(false)]).toEqual([true, false]);
  });

  it("reduces more and retains less in a more aggressive mode", async () => {
    const long = (await loadCorpus("long_context"))[0];
    const details = [];
    for (const compression_mode of COMPRESSION_MODES) {
      const { body } = await tenant.post("/compression/process", { content: long, options: { compression_mode } });
      details.push(body.data.processing_details.compression);
    }
    expect(details.map(({ mode }) => mode)).toEqual(["extract", "balanced", "aggressive"]);
    const [extract, balanced, aggressive] = details;
    expect(balanced.compressed_tokens).toBeLessThan(extract.compressed_tokens);
    expect(aggressive.compressed_tokens).toBeLessThan(balanced.compressed_tokens);
    expect(extract.retention).toBeGreaterThan(aggressive.retention);
  });

  it.each([
    ["no content", {}],
    ["empty content", { content: "" }],
    ["white space", { content: " \n\t " }],
    ["100,001 characters", { content: "x".repeat(100_001) }],
    ["an unknown mode", { content: "x", options: { compression_mode: "turbo" } }],
    ["negative iterations", { content: "x", options: { max_iterations: -1 } }],
    ["content that is not a string", { content: 7 }],
  ])("rejects %s", async (_what, body) => {
    await expectInvalid(tenant.post("/compression/process", body));
  });

  it.each([
    ["100,000 characters", "Ada lives in Zurich. ".repeat(5_000).slice(0, 100_000)],
    ["one token repeated", "tea ".repeat(20_000)],
    ["one letter repeated", "a".repeat(100_000)],
    ["emoji", "👨‍👩‍👧‍👦🏳️‍🌈 ".repeat(500)],
    ["right-to-left text", "مرحبا بكم في العالم. שלום עולם. ".repeat(50)],
    ["control characters", "\u0000\u0001\u001b[31m\u007f ".repeat(200)],
    ["a lone surrogate", "before \ud83d after"],
  ])("accepts %s", async (_what, hard) => {
    const { status, body } = await tenant.post("/compression/process", { content: hard });
    expect(status, JSON.stringify(body).slice(0, 300)).toBe(200);
    const { original_content, processing_details } = body.data;
    expect(original_content).toBe(hard.toWellFormed());
    expect(processing_details.compression.compressed_tokens).toBeLessThanOrEqual(
      processing_details.compression.original_tokens,
    );
  });
});

describe("testing compression", () => {
  it("compares every algorithm and mode on a text", async () => {
    const content = (await loadCorpus("long_context"))[0]!;
    const { status, body } = await tenant.post("/compression/test", { content, test_parameters: { iterations: 1 } });
    expect(status, JSON.stringify(body)).toBe(200);
    const { algorithms, modes, best } = body.data;
    expect(Object.keys(algorithms)).toEqual([...ALGORITHM_NAMES]);
    expect(Object.keys(modes)).toEqual([...COMPRESSION_MODES]);
    expect(best).toBe("real_best");
    for (const name of ["radix", "smart_radix", "gzip"])
      expect(algorithms[name]).toMatchObject({ lossless: true, retention: 1 });
    expect(modes.aggressive.compressed_tokens).toBeLessThan(modes.extract.compressed_tokens);
    expect(algorithms.radix.avg_latency_ms).toBeGreaterThan(0);
  });

  it("compares only the requested algorithms and modes, and returns the content on request", async () => {
    const test_parameters = { algorithms: ["smart_radix"], modes: ["conservative"], include_content: true };
    const content = "the quarterly planning meeting of the northern region. ".repeat(8);
    const { algorithms, modes } = (await tenant.post("/compression/test", { content, test_parameters })).body.data;
    expect([Object.keys(algorithms), Object.keys(modes)]).toEqual([["smart_radix"], ["extract"]]);
    expect(algorithms.smart_radix.content.length).toBeLessThan(content.length);
  });

  it.each([
    { content: " " },
    { content: "x", test_parameters: { algorithms: ["zstd"] } },
    { content: "x", test_parameters: { modes: ["turbo"] } },
    { content: "x", test_parameters: { iterations: 21 } },
    { content: "x", test_parameters: { min_retention: -1 } },
    { content: "x", test_parameters: { algorithms: [], modes: [] } },
  ])("rejects %j", async (body) => {
    await expectInvalid(tenant.post("/compression/test", body));
  });

  it("rejects requests that exceed the work limit", async () => {
    const body = { content: "word ".repeat(20_000), test_parameters: { iterations: 20 } };
    const { fields } = await expectInvalid(tenant.post("/compression/test", body));
    expect(fields[0]?.problem).toContain("8000000");
  });
});

describe("spreading activation", () => {
  const remember = async (caller: Caller, content: string, fields: object = {}) =>
    (await caller.post("/memories", { content, ...fields })).body.data.id as string;

  it("returns 404 in an empty organization", async () => {
    await remember(operator, "Ada drinks strong black tea.");
    const { status, body } = await tenant.post("/compression/spreading-activation", { query: "tea" });
    expect([status, body.error?.code]).toEqual([404, "INSUFFICIENT_RESULTS"]);
  });

  it("reaches related memories and returns the path", async () => {
    const start = await remember(tenant, "Ada Lovelace drinks strong black tea.");
    const tied = await remember(tenant, "Ada Lovelace moved to Lisbon.");
    const request = { query: "who drinks tea", parameters: { threshold: 0.01, include_paths: true } };
    const { status, body } = await tenant.post("/compression/spreading-activation", request);
    expect(status, JSON.stringify(body)).toBe(200);
    const { results, spreading_stats, parameters, context_used } = body.data;
    expect(results[0]).toMatchObject({ id: start, hop_distance: 0 });
    const reached = results.find(({ id }: { id: string }) => id === tied);
    expect(reached.hop_distance).toBeGreaterThan(0);
    expect(reached.activation_path[0].node).toBe(start);
    expect(reached.activation_path.at(-1).node).toBe(tied);
    expect(spreading_stats.total_hops).toBeGreaterThan(0);
    expect(parameters).toEqual({ max_hops: 3, decay_factor: 0.7, threshold: 0.01, initial_budget: 1 });
    expect(context_used).toEqual([]);
  });

  it("omits scores and paths unless requested, and filters by the context", async () => {
    await remember(tenant, "Ada drinks tea.", { user_id: "ada" });
    await remember(tenant, "Tom drinks tea.", { user_id: "tom" });
    const request = { query: "tea", parameters: { include_scores: false }, context: { user_id: "tom", mood: "calm" } };
    const { results, context_used } = (await tenant.post("/compression/spreading-activation", request)).body.data;
    expect(context_used).toEqual(["user_id"]);
    expect(results.map(({ user_id }: { user_id: string }) => user_id)).toEqual(["tom"]);
    expect(Object.keys(results[0])).not.toEqual(
      expect.arrayContaining(["score", "activation_score", "activation_path"]),
    );
  });

  it.each([
    [{ query: "" }, "query"],
    [{ query: "x".repeat(1001) }, "query"],
    [{ query: "tea", parameters: { max_hops: 0 } }, "parameters.max_hops"],
    [{ query: "tea", parameters: { max_hops: 6 } }, "parameters.max_hops"],
    [{ query: "tea", parameters: { threshold: -0.1 } }, "parameters.threshold"],
    [{ query: "tea", parameters: { decay_factor: 1.1 } }, "parameters.decay_factor"],
    [{ query: "tea", parameters: { initial_budget: 0 } }, "parameters.initial_budget"],
  ])("rejects %j", async (request, field) => {
    const { fields } = await expectInvalid(tenant.post("/compression/spreading-activation", request));
    expect(fields.map((each) => each.field)).toEqual([field]);
  });

  it("can be disabled", async () => {
    const switchTo = (enabled: boolean) =>
      operator.put("/compression/config", { algorithms: { spreading_activation: { enabled } } });
    await switchTo(false);
    const { status, body } = await tenant.post("/compression/spreading-activation", { query: "tea" });
    await switchTo(true);
    expect([status, body.error?.code]).toEqual([409, "CONFLICT"]);
  });
});

describe("statistics", () => {
  it("are null or zero before any processing", async () => {
    const { data } = (await tenant.get("/compression/stats")).body;
    expect(data.overall_metrics).toEqual({
      processed: 0,
      failed: 0,
      success_rate: null,
      avg_processing_time_ms: null,
      p50_processing_time_ms: null,
      p95_processing_time_ms: null,
      alerts: [],
    });
    expect(data.time_series).toEqual({ hourly: [], daily: [] });
    expect(data.provider_stats).toEqual({});
    for (const tier of TIERS) expect(data.tier_stats[tier]).toEqual({ memories: 0, tokens: 0 });
  });

  it("count the processing of the caller's organization only", async () => {
    const content = "Ada moved to Lisbon in March 2024. She works at Acme and really likes strong black tea.";
    const made = (await tenant.post("/memories", { content })).body.data;
    const processed = (await tenant.post("/compression/process", { content })).body.data;
    await tenant.post("/compression/spreading-activation", { query: "tea" });
    const data = await onceCounted(async () => {
      const { body } = await tenant.get("/compression/stats");
      expect(body.data.overall_metrics).toMatchObject({ processed: 2, failed: 0, success_rate: 1 });
      return body.data;
    });
    expect(data.overall_metrics.p95_processing_time_ms).toBeGreaterThanOrEqual(
      data.overall_metrics.p50_processing_time_ms,
    );
    expect(data.extraction_stats).toMatchObject({
      texts_extracted: 2,
      facts_extracted: made.facts.length + processed.result.facts.length,
      entities_extracted: made.entities.length + processed.result.entities.length,
    });
    const { original_tokens, compressed_tokens } = made.compression;
    expect(data.compression_stats).toMatchObject({
      original_tokens: 2 * original_tokens,
      compressed_tokens: 2 * compressed_tokens,
      tokens_saved: 2 * (original_tokens - compressed_tokens),
    });
    expect(data.spreading_activation_stats).toMatchObject({ activations: 1, avg_initial_nodes: 1 });
    expect(data.provider_stats["built-in"]).toMatchObject({
      fallbacks: 0,
      input_tokens: 0,
      output_tokens: 0,
      cost_usd: 0,
    });
    expect(data.provider_stats["built-in"].requests).toBeGreaterThanOrEqual(2);
    expect(data.tier_stats.working_tier).toEqual({ memories: 1, tokens: original_tokens });
    for (const series of [data.time_series.hourly, data.time_series.daily]) {
      const sum = (name: string) =>
        series.reduce((total: number, point: Record<string, number>) => total + point[name]!, 0);
      expect(sum("processed")).toBe(2);
      expect(sum("tokens_saved")).toBe(2 * (original_tokens - compressed_tokens));
    }
    expect(data.cost_analysis).toMatchObject({ total_cost_usd: 0, cost_by_provider: { "built-in": 0 } });
    const other = new Caller(service, (await createOrganization(service)).key);
    expect((await other.get("/compression/stats")).body.data.overall_metrics.processed).toBe(0);
  });

  it("cover the whole deployment for the operator only", async () => {
    await tenant.post("/memories", { content: "Ada likes tea." });
    const own = (await tenant.get("/compression/stats")).body.data.overall_metrics.processed;
    const whole = (await operator.get("/compression/stats?scope=deployment")).body.data;
    expect(whole.scope).toBe("deployment");
    expect(whole.overall_metrics.processed).toBeGreaterThanOrEqual(own);
    const { status, body } = await tenant.get("/compression/stats?scope=deployment");
    expect([status, body.error?.code]).toEqual([403, "FORBIDDEN"]);
    await expectInvalid(tenant.get("/compression/stats?scope=galaxy"));
  });

  it("list the thresholds that are exceeded", async () => {
    await tenant.post("/memories", { content: "Ada likes tea." });
    const alert = (latency_p95: number) =>
      operator.put("/compression/config", { monitoring: { alert_thresholds: { latency_p95 } } });
    const { latency_p95 } = (await operator.get("/compression/config")).body.data.monitoring.alert_thresholds;
    await alert(0);
    const expected = { metric: "latency_p95", value: expect.any(Number), threshold: 0 };
    try {
      await onceCounted(async () => {
        const { alerts } = (await tenant.get("/compression/stats")).body.data.overall_metrics;
        expect(alerts).toContainEqual(expected);
      });
    } finally {
      await alert(latency_p95);
    }
  });

  it("are not recorded while monitoring is disabled", async () => {
    const monitor = (enabled: boolean) => operator.put("/compression/config", { monitoring: { enabled } });
    await monitor(false);
    await onceAllKnow(async () => {
      const another = new Caller(service, (await createOrganization(service)).key);
      await another.post("/memories", { content: "Ada likes tea." });
      expect((await another.get("/compression/stats")).body.data.overall_metrics.processed).toBe(0);
    });
    await monitor(true);
  });
});

describe("statistics on the local platform", () => {
  it("survive a restart", async () => {
    const environment = { DATA_DIR: temporaryFolder(), BOOTSTRAP_API_KEY: "a key that both starts are given" };
    const seen = [];
    for (const content of ["Ada likes tea.", "Tom likes coffee."]) {
      const started = await openService(environment);
      const caller = new Caller(started, started.adminKey);
      await caller.post("/memories", { content });
      const { overall_metrics, tier_stats } = (await caller.get("/compression/stats")).body.data;
      seen.push([overall_metrics.processed, tier_stats.working_tier.memories]);
      await started.close();
    }
    expect(seen).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });
});
