import { timestamp } from "../kernel/clock.ts";
import type { Context, Home } from "../platform/context.ts";
import { fromItem, toItem } from "../platform/item.ts";
import type { Condition, JsonObject, RecordKey, RecordStore, Write } from "../platform/ports.ts";
import { COMPRESS_QUEUES } from "../platform/queues.ts";
import { shardOf } from "../platform/shards.ts";
import type { UnderstandOptions } from "./understand.ts";

/** Which of COMPRESS_QUEUES: 0 critical, 1 high, 2 normal. */
export const PRIORITIES = [0, 1, 2] as const;
export type Priority = (typeof PRIORITIES)[number];

/** `cancelled`: the memory is gone, or a later job or a new content took this one's place. */
export const JOB_STATES = ["queued", "processing", "failed", "done", "cancelled"] as const;
export type JobState = (typeof JOB_STATES)[number];

/** One memory to be understood by the workers. Stored before it is queued, so that no lost message loses it. */
export interface Job {
  id: string;
  org: string;
  memory_id: string;
  priority: Priority;
  options: UnderstandOptions;
  state: JobState;
  attempts: number;
  /** ISO */
  submitted_at: string;
  /** When it was last put into its queue, ISO. */
  queued_at: string;
  finished_at?: string;
  /** What the last attempt failed with. */
  error?: string;
}

const NORMAL: Priority = 2;

/** How often the workers try a job before they give up. */
export const MAX_ATTEMPTS = 3;
/** No setting lets a memory take longer: a request on AWS is answered within 29 seconds or not at all. */
export const MOST_PROCESSING_MS = 25_000;

const KEPT_SECONDS = 14 * 86_400;
/** Indexes of what is pending, so that no partition takes the writes of all. */
const SHARDS = 16;

const jobKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}`, sk: "job" });
const jobsOf = (org: string): string => `${org}#jobs`;
const pendingIn = (shard: number): string => `pending-jobs#${shard}`;

function isPending({ state }: Pick<Job, "state">): boolean {
  return state === "queued" || state === "processing";
}

export function newJob(
  { ids, clock, org }: Pick<Context, "ids" | "clock" | "org">,
  memory_id: string,
  options: UnderstandOptions,
  priority: Priority = NORMAL,
): Job {
  const now = timestamp(clock());
  return {
    id: ids("job"),
    org,
    memory_id,
    priority,
    options,
    state: "queued",
    attempts: 0,
    submitted_at: now,
    queued_at: now,
  };
}

export function putJob(job: Job, condition: Condition): Write {
  const { org, id, state, submitted_at, queued_at, finished_at } = job;
  const byState = { gsi1pk: jobsOf(org), gsi1sk: `${state}#${finished_at ?? submitted_at}#${id}` };
  const pending = isPending(job) ? { gsi2pk: pendingIn(shardOf(id, SHARDS)), gsi2sk: `${queued_at}#${id}` } : {};
  const ttl = finished_at === undefined ? undefined : Math.ceil(Date.parse(finished_at) / 1000) + KEPT_SECONDS;
  return { put: toItem(jobKey(org, id), "job", job, { ...byState, ...pending, ttl }), condition };
}

/** Nobody has finished it. One that failed may be tried again: its message comes back when dead letters are redriven. */
export const UNFINISHED: Condition = { state: { oneOf: ["queued", "processing", "failed"] } };

export function finished(job: Job, state: "done" | "failed" | "cancelled", now: number, error?: string): Job {
  return { ...job, state, finished_at: timestamp(now), error };
}

export async function findJob(records: RecordStore, org: string, id: string): Promise<Job | undefined> {
  const record = await records.get(jobKey(org, id));
  return record && fromItem<Job>(record);
}

export function countJobs(records: RecordStore, org: string, state: JobState, upTo: number): Promise<number> {
  return records.count({ index: "gsi1", pk: jobsOf(org), sk: { beginsWith: `${state}#` } }, upTo);
}

/** Jobs in a state; pending ones by submission, final ones by their end. */
export async function listJobs(
  records: RecordStore,
  org: string,
  state: JobState,
  order: { descending: boolean; limit: number },
): Promise<Job[]> {
  const { items } = await records.query({ index: "gsi1", pk: jobsOf(org), sk: { beginsWith: `${state}#` }, ...order });
  return items.map(fromItem<Job>);
}

/** Pending jobs of all organizations that were queued before an instant, those first of each part that waited longest. */
export async function* listOverdue(records: RecordStore, before: number, limit: number): AsyncGenerator<Job> {
  for (let shard = 0; shard < SHARDS; shard++) {
    const sk = { atMost: timestamp(before) };
    const { items } = await records.query({ index: "gsi2", pk: pendingIn(shard), sk, limit });
    yield* items.map(fromItem<Job>);
  }
}

/** What a message of the queues holds: the job's record says the rest. */
export interface JobMessage {
  org: string;
  job_id: string;
}

/** Tells the workers of a stored job. A message that cannot be sent now is sent by the sweep. */
export async function announce({ ports, logger }: Pick<Home, "ports" | "logger">, job: Job): Promise<void> {
  const message: JobMessage = { org: job.org, job_id: job.id };
  try {
    await ports.queue.send(COMPRESS_QUEUES[job.priority], [{ body: message as unknown as JsonObject }]);
  } catch (error) {
    logger.warn("JOB_NOT_QUEUED", { org: job.org, job: job.id, error });
  }
}
