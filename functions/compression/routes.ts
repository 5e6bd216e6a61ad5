import { newGroup } from "../../shared/runtime/http/group.ts";
import { spreadActivation } from "./activation.ts";
import * as benchmarks from "./benchmarks.ts";
import { testCompression } from "./comparison.ts";
import { group } from "./group.ts";
import * as pipeline from "./pipeline.ts";
import { processText } from "./process.ts";
import * as schemas from "./schemas.ts";
import * as service from "./service.ts";
import { readStatistics } from "./statistics.ts";
import * as tiers from "./tiers.ts";

export const routes = newGroup(group);

routes.route(
  {
    method: "get",
    path: "/compression/mode",
    name: "readCompressionMode",
    summary: "Get the compression mode and its performance",
    permission: "memory:read",
    limit: "compression_stats",
    answer: schemas.CompressionModeInForce,
  },
  (ctx) => service.readMode(ctx),
);

routes.route(
  {
    method: "put",
    path: "/compression/mode",
    name: "setCompressionMode",
    summary: "Set the deployment's compression mode, its settings and providers; operators only",
    permission: "admin:all",
    limit: "set_compression_mode",
    body: schemas.SetCompressionMode,
    answer: schemas.CompressionModeSet,
    errors: ["FORBIDDEN"],
  },
  (ctx, { body }) => service.setMode(ctx, body),
);

routes.route(
  {
    method: "get",
    path: "/compression/config",
    name: "readCompressionConfig",
    summary: "Get the configuration of the compression engine",
    permission: "memory:read",
    limit: "compression_stats",
    answer: schemas.CompressionConfiguration,
  },
  (ctx) => service.readConfiguration(ctx),
);

routes.route(
  {
    method: "put",
    path: "/compression/config",
    name: "setCompressionConfig",
    summary: "Update the configuration of the compression engine; operators only",
    permission: "admin:all",
    limit: "set_compression_mode",
    body: schemas.SetCompressionConfiguration,
    answer: schemas.CompressionConfigurationSet,
    errors: ["FORBIDDEN"],
  },
  (ctx, { body }) => service.setConfiguration(ctx, body),
);

routes.route(
  {
    method: "get",
    path: "/compression/stats",
    name: "readCompressionStats",
    summary: "Get statistics and costs of extraction, compression, activation and tiers",
    permission: "memory:read",
    limit: "compression_stats",
    query: schemas.ReadCompressionStatistics,
    answer: schemas.CompressionStatistics,
    errors: ["FORBIDDEN"],
  },
  (ctx, { query }) => readStatistics(ctx, query),
);

routes.route(
  {
    method: "get",
    path: "/compression/benchmarks",
    name: "listBenchmarks",
    summary: "List the benchmarks of POST /compression/benchmarks/run",
    permission: "memory:read",
    limit: "compression_stats",
    answer: schemas.BenchmarkCatalogue,
    bare: true,
  },
  async () => benchmarks.listBenchmarks(),
);

routes.route(
  {
    method: "post",
    path: "/compression/benchmarks/run",
    name: "runBenchmark",
    summary: "Benchmark compression algorithms on a built-in corpus or on samples",
    permission: "compression:benchmark",
    limit: "admin_maintenance",
    body: schemas.BenchmarkRequest,
    answer: schemas.BenchmarkReport,
    readOnly: true,
  },
  (ctx, { body }) => benchmarks.runBenchmark(ctx, body),
);

routes.route(
  {
    method: "post",
    path: "/compression/process",
    name: "processText",
    summary: "Extract facts from a text and compress it without storing it",
    permission: "memory:write",
    limit: "create_memory",
    body: schemas.ProcessText,
    answer: schemas.ProcessedText,
    readOnly: true,
    errors: ["COMPRESSION_FAILED"],
  },
  (ctx, { body }) => processText(ctx, body),
);

routes.route(
  {
    method: "post",
    path: "/compression/test",
    name: "testCompression",
    summary: "Compare compression algorithms and modes on a text",
    permission: "memory:write",
    limit: "create_memory",
    body: schemas.TestCompression,
    answer: schemas.TestedCompression,
    readOnly: true,
  },
  (ctx, { body }) => testCompression(ctx, body),
);

routes.route(
  {
    method: "post",
    path: "/compression/spreading-activation",
    name: "spreadActivation",
    summary: "Spread activation from the memories that a query finds",
    permission: "search:read",
    limit: "spreading_search",
    body: schemas.SpreadActivation,
    answer: schemas.SpreadAnswer,
    readOnly: true,
    errors: ["INSUFFICIENT_RESULTS", "SEARCH_TIMEOUT", "CONFLICT"],
  },
  (ctx, { body }) => spreadActivation(ctx, body),
);

routes.route(
  {
    method: "get",
    path: "/tier/policy",
    name: "readTierPolicy",
    summary: "Get the tier policy, the usage of the tiers and the migrations between them",
    permission: "memory:read",
    limit: "compression_stats",
    answer: schemas.TierPolicyInForce,
  },
  (ctx) => tiers.readTierPolicy(ctx),
);

routes.route(
  {
    method: "put",
    path: "/tier/policy",
    name: "setTierPolicy",
    summary: "Set the deployment's tier policy; operators only",
    permission: "admin:all",
    limit: "update_tier_policy",
    body: schemas.SetTierPolicy,
    answer: schemas.TierPolicySet,
    errors: ["FORBIDDEN"],
  },
  (ctx, { body }) => tiers.setTierPolicy(ctx, body),
);

routes.route(
  {
    method: "get",
    path: "/compression/pipeline/status",
    name: "readPipelineStatus",
    summary: "Get the state of the processing pipeline",
    permission: "memory:read",
    limit: "compression_stats",
    answer: schemas.PipelineStatus,
  },
  (ctx) => pipeline.readPipeline(ctx),
);

routes.route(
  {
    method: "post",
    path: "/compression/pipeline/submit",
    name: "submitToPipeline",
    summary: "Queue a memory for extraction and compression",
    permission: "memory:write",
    limit: "update_memory",
    body: schemas.SubmitToPipeline,
    answer: schemas.SubmittedToPipeline,
    status: 202,
    errors: ["MEMORY_NOT_FOUND", "VERSION_CONFLICT"],
  },
  (ctx, { body }) => pipeline.submitToPipeline(ctx, body),
);
