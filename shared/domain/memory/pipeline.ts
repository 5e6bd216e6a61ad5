import { ServiceError } from "../../kernel/errors.ts";
import type { QueueDepth } from "../../ports/queue.ts";
import { COMPRESS_QUEUES, deadLettersOf } from "../../ports/queues.ts";
import type { Context, MemoryScope, OrgRuntime, Runtime } from "../../runtime/context.ts";
import type { JobHandler } from "../../runtime/jobs/handler.ts";
import type { JobState } from "../../runtime/jobs/job.ts";
import { enqueueJob } from "../../runtime/jobs/queue.ts";
import { countJobs, insertJob, listJobsByState } from "../../runtime/jobs/records.ts";
import { countEvent, readTotal, type Subject } from "../../runtime/stats/series.ts";
import { compressionConfig } from "../compression/stored-settings.ts";
import { MEMORY_PROCESSING_JOB } from "./job-kinds.ts";
import { type MemoryJob, newMemoryJob, type Priority } from "./jobs.ts";
import { keepLinked } from "./links.ts";
import type { Memory } from "./memory.ts";
import { amendMemory } from "./revise.ts";
import { type Understanding, type UnderstandOptions, understand } from "./understand.ts";

/** Counters of jobs by result, with a histogram of the milliseconds from submission to end. */
const jobsOf = (org: string): Subject => ({ scope: org, name: "compression-jobs" });

/** Queues a memory for processing. Throws MEMORY_NOT_FOUND. */
export async function submitJob(ctx: Context, memory_id: string, priority: Priority, options: UnderstandOptions) {
  const job = newMemoryJob(ctx, ctx.principal.id, { memory_id, priority, options });
  const queued = () => ({ processing: { status: "queued" as const, job_id: job.id } });
  await amendMemory(ctx, memory_id, queued, () => [insertJob(job)]);
  await enqueueJob(ctx, job);
  return job;
}

/** The memory no longer waits for the job: a later job or new content replaced it. */
class NotAwaitedError extends Error {}

/** Processes the memory of a job, if its record still waits for it, and ends the job in the same transaction. */
export const memoryProcessing: JobHandler<"memory_processing"> = {
  job: MEMORY_PROCESSING_JOB,

  async step(runtime, { job }) {
    const scope = everyMemoryOf(runtime);
    let read: { version: number; understood: Understanding } | undefined;
    const amend = async (memory: Memory) => {
      requireWaiting(memory, job);
      if (read?.version !== memory.version) {
        const text = { ...memory, stored_at: memory.created_at };
        read = { version: memory.version, understood: await understand(scope, text, job.input.options) };
      }
      return combine(memory, read.understood, job);
    };
    return { end: "completed", commit: (write) => amendMemory(scope, job.input.memory_id, amend, () => [write]) };
  },

  async onFailed(runtime, job) {
    const amend = (memory: Memory) => {
      requireWaiting(memory, job);
      return { processing: { status: "failed" as const, job_id: job.id } };
    };
    return { commit: (write) => amendMemory(everyMemoryOf(runtime), job.input.memory_id, amend, () => [write]) };
  },

  isMoot: (error) =>
    error instanceof NotAwaitedError || (error instanceof ServiceError && error.code === "MEMORY_NOT_FOUND"),

  onEnded({ rollups, clock }, { org, state, submitted_at, finished_at = submitted_at }) {
    const durationMs = Date.parse(finished_at) - Date.parse(submitted_at);
    countEvent(rollups, jobsOf(org), clock(), { [statusOf(state)]: 1 }, durationMs);
  },
};

/** Workers act for the organization, regardless of who stored the memory. */
function everyMemoryOf(runtime: OrgRuntime): MemoryScope {
  return { ...runtime, viewer: undefined };
}

function requireWaiting({ processing }: Memory, job: MemoryJob): void {
  if (processing.job_id !== job.id || processing.status === "done") throw new NotAwaitedError();
}

/** Returns the changes of a memory. Parts that the job's options leave out stay as they are. */
function combine(memory: Memory, understood: Understanding, { id: job_id, input }: MemoryJob): Partial<Memory> {
  const { options } = input;
  return {
    facts: options.extract_facts === false ? memory.facts : understood.facts,
    ...((options.extract_facts !== false || memory.observations === undefined) && { observed: understood.observed }),
    ...(options.extract_entities !== false && {
      entities: keepLinked(memory.entities, understood.entities),
      entities_left_out: understood.entities_left_out,
    }),
    compression: options.compress === false ? memory.compression : understood.compression,
    processing: { ...understood.processing, job_id },
    processing_ms: understood.processing_ms,
  };
}

/** Job states for clients. */
export const JOB_STATUSES = ["queued", "processing", "failed", "done", "cancelled"] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export function statusOf(state: JobState): JobStatus {
  if (state === "running") return "processing";
  return state === "completed" ? "done" : state;
}

const MAX_COUNTED = 10_000;
const FAILURES_SHOWN = 10;

export interface QueueStatus extends QueueDepth {
  priority: Priority;
  name: string;
  deadLetters: number;
}

/**
 * Returns the queues of the whole deployment, and the organization's jobs: up to 10,000 pending ones, all ended ones
 * (counts of other processes arrive seconds later), the age of the oldest queued one, and the last failures.
 */
export async function readPipelineStatus(runtime: MemoryScope) {
  const { records } = runtime.ports;
  await runtime.rollups.flush();
  const [config, critical, high, normal, queued, processing, ended, [oldest], failures] = await Promise.all([
    runtime.settings.read(compressionConfig),
    readQueue(runtime, 0),
    readQueue(runtime, 1),
    readQueue(runtime, 2),
    countJobs(records, runtime.org, MEMORY_PROCESSING_JOB, "queued", MAX_COUNTED),
    countJobs(records, runtime.org, MEMORY_PROCESSING_JOB, "running", MAX_COUNTED),
    readTotal(records, jobsOf(runtime.org)),
    listJobsByState(records, runtime.org, MEMORY_PROCESSING_JOB, "queued", { descending: false, limit: 1 }),
    listJobsByState(records, runtime.org, MEMORY_PROCESSING_JOB, "failed", { descending: true, limit: FAILURES_SHOWN }),
  ]);
  const { async_processing, worker_pool_size } = config.performance;
  const { done = 0, failed = 0, cancelled = 0 } = ended;
  return {
    isAsync: async_processing,
    queues: { critical, high, normal },
    jobs: { queued, processing, done, failed, cancelled } satisfies Record<JobStatus, number>,
    oldestAgeMs: oldest && Math.max(0, runtime.clock() - Date.parse(oldest.submitted_at)),
    /** Memories that a worker processes concurrently. */
    poolSize: worker_pool_size,
    failures,
  };
}

async function readQueue({ ports }: Runtime, priority: Priority): Promise<QueueStatus> {
  const name = COMPRESS_QUEUES[priority];
  const [depth, dead] = await Promise.all([ports.queue.depth(name), ports.queue.depth(deadLettersOf(name))]);
  return { ...depth, priority, name, deadLetters: dead.waiting + dead.inFlight };
}
