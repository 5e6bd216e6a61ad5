import type { Backend } from "./figures.ts";

/** List prices of us-east-1 in US dollars; an estimate, to be checked before use. */
export const PRICES = {
  region: "us-east-1",
  asOf: "2025",
  readUnits: { of: "a million DynamoDB read units, on demand", dollars: 0.125 },
  writeUnits: { of: "a million DynamoDB write units, on demand", dollars: 0.625 },
  lambdaGbSeconds: { of: "a million GB-seconds of Lambda on ARM", dollars: 13.3334 },
  lambdaCalls: { of: "a million calls of Lambda", dollars: 0.2 },
  apiRequests: { of: "a million requests of the HTTP API", dollars: 1 },
  queueRequests: { of: "a million requests of SQS", dollars: 0.4 },
  s3Puts: { of: "a million writes of S3", dollars: 5 },
  s3Gets: { of: "a million reads of S3", dollars: 0.4 },
  embeddings: { of: "a million texts of 50 tokens embedded by Titan Text Embeddings v2", dollars: 1 },
  modelCalls: { of: "a million tasks of 1,500 tokens in and 250 out of Nova Lite", dollars: 150 },
  logs: { of: "a million KB of logs taken in by CloudWatch", dollars: 0.5 },
} as const;

/** Typical duration of a call within a region in milliseconds; an estimate. */
export const WAIT_MS: Record<Backend, number> = {
  model: 1200,
  embedder: 60,
  search: 25,
  s3Put: 40,
  s3Get: 25,
  secrets: 20,
  sqs: 10,
  dynamodb: 6,
};

/** Memory of a function with one whole core; less memory has a proportional share. */
export const WHOLE_CORE_MB = 1769;
/** A request's lines in the API's access log and the function's log. */
export const LOG_KB = 1;
/** How often processes write their counts; as in shared/runtime/stats/rollups.ts. */
export const FLUSH_SECONDS = 5;

/** Shares of the request kinds: an agent platform that searches before each answer and stores what users say. */
export const MIX: Record<string, number> = {
  "POST /search": 0.2,
  "POST /search/hybrid": 0.1,
  "POST /search/enhanced": 0.05,
  "POST /v3/memories/search": 0.1,
  "GET /memories/{id}": 0.1,
  "GET /memories": 0.05,
  "GET /memories/{id}/history": 0.01,
  "GET /entities/{id}": 0.02,
  "POST /memories": 0.08,
  "POST /memories/batch": 0.01,
  "PUT /memories/{id}": 0.02,
  "DELETE /memories/{id}": 0.01,
  "POST /memories/{id}/feedback": 0.01,
  "POST /v3/memories/add": 0.05,
  "POST /sessions": 0.01,
  "POST /sessions/{id}/messages": 0.09,
  "GET /sessions/{id}/messages": 0.03,
  "GET /sessions/{id}/context": 0.03,
  "GET /skills/search": 0.02,
  "GET /agents/{id}": 0.01,
};

export const RATES = [10, 1_000, 100_000];

/** AWS's default quotas, and limits of single resources. */
export const QUOTAS = {
  /** Units per second of one partition; no quota raises it. */
  partitionReads: 3_000,
  partitionWrites: 1_000,
  /** Initial capacity of an on-demand table; it then follows to twice the highest peak within 30 minutes. */
  newTableReads: 12_000,
  newTableWrites: 4_000,
  tableUnits: 40_000,
  lambdaConcurrency: 1_000,
  apiRate: 10_000,
  embeddingsAMinute: 6_000,
  modelCallsAMinute: 2_000,
  /** Searches per second of one r7g.large node with a million memories; measure your own. */
  searchesANode: 100,
} as const;
