import { MEMORY_PROCESSING_JOB } from "../../shared/domain/memory/job-kinds.ts";
import type { MemoryJob } from "../../shared/domain/memory/jobs.ts";
import { type QueueStatus, readPipelineStatus, statusOf, submitJob } from "../../shared/domain/memory/pipeline.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { COMPRESS_QUEUES } from "../../shared/ports/queues.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";

/** The state of background processing in the deployment and in the caller's organization. */
export async function readPipeline(ctx: Context) {
  const { isAsync, queues, jobs, oldestAgeMs, poolSize, failures } = await readPipelineStatus(ctx);
  return {
    async_processing: isAsync,
    queues: {
      critical: presentQueue(queues.critical),
      high: presentQueue(queues.high),
      normal: presentQueue(queues.normal),
    },
    jobs,
    oldest_age_seconds: oldestAgeMs === undefined ? null : oldestAgeMs / 1000,
    workers: { pool_size: poolSize, max_attempts: MEMORY_PROCESSING_JOB.policy.maxAttempts },
    recent_failures: failures.map(presentFailure),
  };
}

function presentQueue({ priority, name, waiting, inFlight, delayed, deadLetters }: QueueStatus) {
  return { priority, queue: name, waiting, in_flight: inFlight, delayed, dead_letters: deadLetters };
}

function presentFailure({ id, input, attempts, error, submitted_at, finished_at }: MemoryJob) {
  const { memory_id, priority } = input;
  return { job_id: id, memory_id, priority, attempts, error, submitted_at, failed_at: finished_at };
}

/** Queues a memory for extraction and compression. Throws MEMORY_NOT_FOUND. */
export async function submitToPipeline(
  ctx: Context,
  { memory_id, priority, compression_options }: Input<typeof schemas.SubmitToPipeline>,
) {
  const { id, state, submitted_at } = await submitJob(ctx, memory_id, priority, compression_options);
  return { job_id: id, memory_id, status: statusOf(state), priority, queue: COMPRESS_QUEUES[priority], submitted_at };
}
