import { newGroup } from "../../shared/runtime/http/group.ts";
import { spreadActivation } from "./activation.ts";
import { group } from "./group.ts";
import { listBenchmarks, runBenchmark, testCompression } from "./measuring.ts";
import * as pipeline from "./pipeline.ts";
import { processText } from "./process.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";
import { readStatistics } from "./statistics.ts";
import * as tiers from "./tiers.ts";

export const routes = newGroup(
  group,
  { permission: "memory:write" },
  { get: { permission: "memory:read", limit: "compression_stats" }, put: { permission: "admin:all" } },
);

routes.get("/compression/mode", "readCompressionMode", {
  summary: "Get the compression mode and its performance",
  answer: schemas.CompressionModeInForce,
  handler: (ctx) => service.readMode(ctx),
});

routes.put("/compression/mode", "setCompressionMode", {
  summary: "Set the deployment's compression mode, its settings and providers; operators only",
  limit: "set_compression_mode",
  body: schemas.SetCompressionMode,
  answer: schemas.CompressionModeSet,
  errors: ["FORBIDDEN"],
  handler: (ctx, { body }) => service.setMode(ctx, body),
});

routes.get("/compression/config", "readCompressionConfig", {
  summary: "Get the configuration of the compression engine",
  answer: schemas.CompressionConfiguration,
  handler: (ctx) => service.readConfiguration(ctx),
});

routes.put("/compression/config", "setCompressionConfig", {
  summary: "Update the configuration of the compression engine; operators only",
  limit: "set_compression_mode",
  body: schemas.SetCompressionConfiguration,
  answer: schemas.CompressionConfigurationSet,
  errors: ["FORBIDDEN"],
  handler: (ctx, { body }) => service.setConfiguration(ctx, body),
});

routes.get("/compression/stats", "readCompressionStats", {
  summary: "Get statistics and costs of extraction, compression, activation and tiers",
  query: schemas.ReadCompressionStatistics,
  answer: schemas.CompressionStatistics,
  errors: ["FORBIDDEN"],
  handler: (ctx, { query }) => readStatistics(ctx, query),
});

routes.get("/compression/benchmarks", "listBenchmarks", {
  summary: "List the benchmarks of POST /compression/benchmarks/run",
  answer: schemas.BenchmarkCatalogue,
  bare: true,
  handler: async () => listBenchmarks(),
});

routes.post("/compression/benchmarks/run", "runBenchmark", {
  summary: "Benchmark compression algorithms on a built-in corpus or on samples",
  permission: "compression:benchmark",
  limit: "admin_maintenance",
  body: schemas.BenchmarkRequest,
  answer: schemas.BenchmarkReport,
  readOnly: true,
  handler: (ctx, { body }) => runBenchmark(ctx, body),
});

routes.post("/compression/process", "processText", {
  summary: "Extract facts from a text and compress it without storing it",
  limit: "create_memory",
  body: schemas.ProcessText,
  answer: schemas.ProcessedText,
  readOnly: true,
  errors: ["COMPRESSION_FAILED"],
  handler: (ctx, { body }) => processText(ctx, body),
});

routes.post("/compression/test", "testCompression", {
  summary: "Compare compression algorithms and modes on a text",
  limit: "create_memory",
  body: schemas.TestCompression,
  answer: schemas.TestedCompression,
  readOnly: true,
  handler: (ctx, { body }) => testCompression(ctx, body),
});

routes.post("/compression/spreading-activation", "spreadActivation", {
  summary: "Spread activation from the memories that a query finds",
  permission: "search:read",
  limit: "spreading_search",
  body: schemas.SpreadActivation,
  answer: schemas.SpreadAnswer,
  readOnly: true,
  errors: ["INSUFFICIENT_RESULTS", "SEARCH_TIMEOUT", "CONFLICT"],
  handler: (ctx, { body }) => spreadActivation(ctx, body),
});

routes.get("/tier/policy", "readTierPolicy", {
  summary: "Get the tier policy, the usage of the tiers and the migrations between them",
  answer: schemas.TierPolicyInForce,
  handler: (ctx) => tiers.readTierPolicy(ctx),
});

routes.put("/tier/policy", "setTierPolicy", {
  summary: "Set the deployment's tier policy; operators only",
  limit: "update_tier_policy",
  body: schemas.SetTierPolicy,
  answer: schemas.TierPolicySet,
  errors: ["FORBIDDEN"],
  handler: (ctx, { body }) => tiers.setTierPolicy(ctx, body),
});

routes.get("/compression/pipeline/status", "readPipelineStatus", {
  summary: "Get the state of the processing pipeline",
  answer: schemas.PipelineStatus,
  handler: (ctx) => pipeline.readPipeline(ctx),
});

routes.post("/compression/pipeline/submit", "submitToPipeline", {
  summary: "Queue a memory for extraction and compression",
  limit: "update_memory",
  body: schemas.SubmitToPipeline,
  answer: schemas.SubmittedToPipeline,
  status: 202,
  errors: ["MEMORY_NOT_FOUND", "VERSION_CONFLICT"],
  handler: (ctx, { body }) => pipeline.submitToPipeline(ctx, body),
});
