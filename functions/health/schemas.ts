import * as z from "zod";
import { QueueState } from "../../shared/health/wire.ts";

export const Health = z.object({
  status: z.literal("healthy"),
  version: z.string(),
  uptime_seconds: z.number().int(),
});

const checkOf = <Check extends z.ZodType>(check: Check) =>
  z.object({ records: check, search: check, blobs: check, queue: check });

const catchingUp = z
  .boolean()
  .describe("Whether the search index is being brought in line with the records: searches may miss some meanwhile.");

export const Readiness = z.object({ ready: z.boolean(), checks: checkOf(z.boolean()), index_catching_up: catchingUp });

export const Status = z.object({
  status: z.enum(["healthy", "degraded"]),
  version: z.string(),
  uptime_seconds: z.number().int(),
  checks: checkOf(z.object({ ok: z.boolean(), latency_ms: z.number() })),
  queues: z.array(QueueState).nullable().describe("Null where the queues do not answer."),
  index: z.object({
    catching_up: catchingUp,
    pending: z
      .number()
      .int()
      .nullable()
      .describe(
        "Memories and skills of the organization whose vectors are still to be computed: searches find them by words, or by vectors of the former embedder. Null where search does not answer.",
      ),
    embedder: z
      .string()
      .nullable()
      .describe(
        "The embedder in use; `built-in-1:384` is the lexical one, also where a machine cannot run the model. Null where search does not answer.",
      ),
    compared_vectors: z
      .enum(["current", "former", "none"])
      .nullable()
      .describe(
        "Whose vectors searches by meaning compare: those of the embedder in use, those of the former one while its own are computed, or none, so that searches go by words alone. Null where search does not answer.",
      ),
  }),
  reranker: z
    .object({ model: z.string(), succeeded: z.int(), failed: z.int() })
    .nullable()
    .describe(
      "The second stage of searches, and how often it ordered their results or failed since the last full hour but one. Null where there is none.",
    ),
});
