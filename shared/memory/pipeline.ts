import { compressionConfig } from "../compression/stored-settings.ts";
import { timestamp } from "../kernel/clock.ts";
import { ServiceError } from "../kernel/errors.ts";
import type { Home, ViewerHome } from "../platform/context.ts";
import { ConditionFailed, Superseded } from "../platform/errors.ts";
import type { QueueDepth } from "../platform/ports.ts";
import { COMPRESS_QUEUES, deadLettersOf } from "../platform/queues.ts";
import { writeUnlessChanged } from "../platform/unless-changed.ts";
import { countEvent, readTotal, type Subject } from "../stats/series.ts";
import { isTooComplex } from "../text-work/task.ts";
import {
  announce,
  countJobs,
  findJob,
  finished,
  type Job,
  type JobMessage,
  listJobs,
  listOverdue,
  MAX_ATTEMPTS,
  newJob,
  type Priority,
  putJob,
  UNFINISHED,
} from "./jobs.ts";
import { keepLinked } from "./links.ts";
import type { Memory } from "./memory.ts";
import { amendMemory } from "./revise.ts";
import { type Understanding, type UnderstandOptions, understand } from "./understand.ts";

const MAX_ERROR_LENGTH = 500;

/** Jobs by how they ended, with a histogram of the milliseconds from submission to end. */
const jobsOf = (org: string): Subject => ({ scope: org, name: "compression-jobs" });

// ---------------------------------------------------------------- submitting

/** Has the workers understand a memory anew. Throws MEMORY_NOT_FOUND. */
export async function submitJob(
  home: ViewerHome,
  memory_id: string,
  priority: Priority,
  options: UnderstandOptions,
): Promise<Job> {
  const job = newJob(home, memory_id, options, priority);
  const processing: Memory["processing"] = { status: "queued", job_id: job.id };
  await amendMemory(
    home,
    memory_id,
    () => ({ processing }),
    () => [putJob(job, "absent")],
  );
  await announce(home, job);
  return job;
}

// ---------------------------------------------------------------- working

/** Workers serve the organization, whoever stored the memory. */
function everyMemoryOf(home: Home, org: string): ViewerHome {
  return { ...home, org, viewer: undefined };
}

/**
 * Works on a job that a message names. A message may come twice, late, or when there is nothing left to do: the memory's
 * record says whether it still waits for this job, and takes what was done in one transaction with the job's end.
 * Rejects when the message is to come again, or after the last attempt, when job and memory say that they failed.
 */
export async function workOn(home: Home, { org, job_id }: JobMessage, isLastAttempt: boolean): Promise<void> {
  const job = await findJob(home.ports.records, org, job_id);
  if (job === undefined || job.state === "done" || job.state === "cancelled") return;
  const within = everyMemoryOf(home, org);
  const begun: Job = { ...job, state: "processing", attempts: job.attempts + 1, finished_at: undefined };
  try {
    await home.ports.records.write(putJob(begun, UNFINISHED));
    await carryOut(within, begun);
  } catch (error) {
    // Only the first write is refused this way: another delivery of the message was done sooner.
    if (error instanceof ConditionFailed) return;
    if (isMoot(error)) return cancel(within, begun);
    if (isTooComplex(error)) return noteFailure(within, begun, error, true);
    await noteFailure(within, begun, error, isLastAttempt);
    throw error;
  }
}

async function carryOut(home: ViewerHome, job: Job): Promise<void> {
  const end = () => finished(job, "done", home.clock());
  let read: { version: number; understood: Understanding } | undefined;
  const amend = async (memory: Memory) => {
    requireWaiting(memory, job);
    if (read?.version !== memory.version) {
      const text = { ...memory, stored_at: memory.created_at };
      read = { version: memory.version, understood: await understand(home, text, job.options) };
    }
    return combine(memory, read.understood, job);
  };
  await amendMemory(home, job.memory_id, amend, () => [putJob(end(), UNFINISHED)]);
  countEnd(home, end());
}

function requireWaiting({ processing }: Memory, job: Job): void {
  if (processing.job_id !== job.id || processing.status === "done") throw new Superseded();
}

/** What a job was told to leave out stays as it was. */
function combine(memory: Memory, understood: Understanding, { id: job_id, options }: Job): Partial<Memory> {
  return {
    facts: options.extract_facts === false ? memory.facts : understood.facts,
    entities: options.extract_entities === false ? memory.entities : keepLinked(memory.entities, understood.entities),
    compression: options.compress === false ? memory.compression : understood.compression,
    processing: { ...understood.processing, job_id },
    processing_ms: understood.processing_ms,
  };
}

function isMoot(error: unknown): boolean {
  return error instanceof Superseded || (error instanceof ServiceError && error.code === "MEMORY_NOT_FOUND");
}

async function cancel(home: ViewerHome, job: Job): Promise<void> {
  const cancelled = finished(job, "cancelled", home.clock());
  if (await writeUnlessFinished(home, cancelled)) countEnd(home, cancelled);
}

/** False when another delivery of the same message came to an end in the meantime. */
function writeUnlessFinished(home: Home, job: Job): Promise<boolean> {
  return writeUnlessChanged(home, putJob(job, UNFINISHED));
}

/** The failure itself is told by whoever calls; that it could not be noted must not hide it. */
async function noteFailure(home: ViewerHome, job: Job, failure: unknown, isLastAttempt: boolean): Promise<void> {
  const error = String(failure).slice(0, MAX_ERROR_LENGTH);
  try {
    if (isLastAttempt) await giveUp(home, job, error);
    else await writeUnlessFinished(home, { ...job, state: "queued", error });
  } catch (fault) {
    home.logger.error("JOB_FAILURE_NOT_NOTED", { org: job.org, job: job.id, error: fault });
  }
}

async function giveUp(home: ViewerHome, job: Job, error: string): Promise<void> {
  const failed = finished(job, "failed", home.clock(), error);
  const amend = (memory: Memory) => {
    requireWaiting(memory, job);
    return { processing: { status: "failed" as const, job_id: job.id } };
  };
  try {
    await amendMemory(home, job.memory_id, amend, () => [putJob(failed, UNFINISHED)]);
    countEnd(home, failed);
  } catch (thrown) {
    if (!isMoot(thrown)) throw thrown;
    await cancel(home, job);
  }
}

function countEnd({ rollups, clock }: Home, { org, state, submitted_at, finished_at = submitted_at }: Job): void {
  const took = Date.parse(finished_at) - Date.parse(submitted_at);
  countEvent(rollups, jobsOf(org), clock(), { [state]: 1 }, took);
}

// ---------------------------------------------------------------- making up for lost messages

const OVERDUE_MS = 10 * 60_000;
/** Behind a queue that is never empty a lost message is told from a waiting one by its age alone. */
const SURELY_LOST_MS = 60 * 60_000;
/** Of each part of the pending jobs, in one run; the next run goes on with the rest. */
const MAX_REQUEUED = 100;

/**
 * Queues pending jobs again whose message was never sent, or was lost; gives up those that ended the workers themselves
 * each time. Queueing one whose message is only late does no harm.
 */
export async function requeueOverdue(home: Home): Promise<{ requeued: number; failed: number }> {
  const outcome = { requeued: 0, failed: 0 };
  const busy = new Map<Priority, Promise<boolean>>();
  const now = home.clock();
  for await (const job of listOverdue(home.ports.records, now - OVERDUE_MS, MAX_REQUEUED)) {
    const isBusy = busy.get(job.priority) ?? isAtWork(home, job.priority);
    busy.set(job.priority, isBusy);
    if ((await isBusy) && now - Date.parse(job.queued_at) < SURELY_LOST_MS) continue;
    try {
      outcome[await makeUpFor(home, job)]++;
    } catch (error) {
      home.logger.error("JOB_NOT_REQUEUED", { org: job.org, job: job.id, error });
    }
  }
  return outcome;
}

async function makeUpFor(home: Home, job: Job): Promise<"requeued" | "failed"> {
  if (job.attempts >= MAX_ATTEMPTS) {
    await giveUp(everyMemoryOf(home, job.org), job, job.error ?? "the workers never came to its end");
    return "failed";
  }
  const again: Job = { ...job, state: "queued", queued_at: timestamp(home.clock()) };
  if (await writeUnlessFinished(home, again)) await announce(home, again);
  return "requeued";
}

async function isAtWork({ ports }: Home, priority: Priority): Promise<boolean> {
  const { waiting, inFlight, delayed } = await ports.queue.depth(COMPRESS_QUEUES[priority]);
  return waiting + inFlight + delayed > 0;
}

// ---------------------------------------------------------------- watching

const MAX_COUNTED = 10_000;
const FAILURES_SHOWN = 10;

export interface QueueStatus extends QueueDepth {
  priority: Priority;
  name: string;
  deadLetters: number;
}

export interface PipelineStatus {
  isAsync: boolean;
  /** Of the whole deployment. */
  queues: Record<"critical" | "high" | "normal", QueueStatus>;
  /** Of the organization; pending ones up to 10,000, the others of all time, those of other processes some seconds late. */
  jobs: Record<Job["state"], number>;
  /** How long the job has been waiting that was submitted first, of those that no worker has begun. */
  oldestAgeMs: number | undefined;
  /** How many memories one worker reads at a time. */
  poolSize: number;
  /** Newest first. */
  failures: Job[];
}

export async function readPipelineStatus(home: ViewerHome): Promise<PipelineStatus> {
  const { records } = home.ports;
  await home.rollups.flush();
  const [config, critical, high, normal, queued, processing, ended, [oldest], failures] = await Promise.all([
    home.settings.read(compressionConfig),
    readQueue(home, 0),
    readQueue(home, 1),
    readQueue(home, 2),
    countJobs(records, home.org, "queued", MAX_COUNTED),
    countJobs(records, home.org, "processing", MAX_COUNTED),
    readTotal(records, jobsOf(home.org)),
    listJobs(records, home.org, "queued", { descending: false, limit: 1 }),
    listJobs(records, home.org, "failed", { descending: true, limit: FAILURES_SHOWN }),
  ]);
  const { async_processing, worker_pool_size } = config.performance;
  const { done = 0, failed = 0, cancelled = 0 } = ended;
  return {
    isAsync: async_processing,
    queues: { critical, high, normal },
    jobs: { queued, processing, done, failed, cancelled },
    oldestAgeMs: oldest && Math.max(0, home.clock() - Date.parse(oldest.submitted_at)),
    poolSize: worker_pool_size,
    failures,
  };
}

async function readQueue({ ports }: Home, priority: Priority): Promise<QueueStatus> {
  const name = COMPRESS_QUEUES[priority];
  const [depth, dead] = await Promise.all([ports.queue.depth(name), ports.queue.depth(deadLettersOf(name))]);
  return { ...depth, priority, name, deadLetters: dead.waiting + dead.inFlight };
}
