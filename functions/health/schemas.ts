import * as z from "zod";
import { READER_STATES } from "../../shared/domain/memory/reading-health.ts";
import { QueueState } from "../../shared/domain/operations/health/checks.ts";

export { QueueState };

export const Health = z.object({
  status: z.literal("healthy"),
  version: z.string(),
  uptime_seconds: z.int(),
});

const checkOf = <Check extends z.ZodType>(check: Check) =>
  z.object({ records: check, search: check, blobs: check, queue: check });

const catchingUp = z
  .boolean()
  .describe("Whether the search index is catching up with the records; searches may miss some memories meanwhile.");

export const Readiness = z.object({
  ready: z.boolean(),
  checks: checkOf(z.boolean()),
  index_catching_up: catchingUp,
  embedder: z
    .enum(["loading", "loaded"])
    .describe("`loading`: the model of this process is being loaded; until then searches use words alone."),
  queries_without_vector: z
    .int()
    .nullable()
    .describe(
      "Queries since the start of the previous hour that were answered by keywords alone, because the embedder failed or was late. Null if the count cannot be read.",
    ),
  fact_reader: z
    .enum(READER_STATES)
    .nullable()
    .describe(
      "`working`: the model reads facts behind the rules. `failing`: its last reading failed or took too long, and rules alone read facts. `absent`: there is no such model. Null if that cannot be read.",
    ),
});

export const Status = z.object({
  status: z.enum(["healthy", "degraded"]),
  version: z.string(),
  uptime_seconds: z.int(),
  checks: checkOf(z.object({ ok: z.boolean(), latency_ms: z.number() })),
  queues: z.array(QueueState).nullable().describe("Null if the queues do not respond."),
  index: z.object({
    catching_up: catchingUp,
    pending: z
      .number()
      .int()
      .nullable()
      .describe(
        "Memories and skills of the organization that wait for their vectors (searches find them by keywords or by vectors of the former embedder), plus the groups of memories, of all organizations, that wait for the model that reads facts. Null if search is not available.",
      ),
    embedder: z
      .string()
      .nullable()
      .describe(
        "The embedder in use; `built-in-1:384` is the lexical one, also used if the host cannot run the model. Null if search is not available.",
      ),
    compared_vectors: z
      .enum(["current", "former", "none"])
      .nullable()
      .describe(
        "The vectors that searches compare: `current`, `former` (of the previous embedder, while new ones are computed), or none (keywords only). Null if search is not available.",
      ),
  }),
  reranker: z
    .object({ model: z.string(), succeeded: z.int(), failed: z.int() })
    .nullable()
    .describe(
      "The second stage of searches with its uses and failures since the start of the previous hour. Null if there is none.",
    ),
});
