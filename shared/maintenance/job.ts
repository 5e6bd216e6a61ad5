import { OPERATOR_ORG } from "../identity/bootstrap.ts";
import { timestamp } from "../kernel/clock.ts";
import type { PageRequest } from "../kernel/pagination.ts";
import type { Home } from "../platform/context.ts";
import { fromItem, toItem } from "../platform/item.ts";
import { filterBy, type RecordListing, readPage } from "../platform/listing.ts";
import type { Condition, RecordKey, RecordStore, Write } from "../platform/ports.ts";
import { MAINTENANCE_QUEUE } from "../platform/queues.ts";
import type { SyncOptions } from "./components.ts";
import type { CleanupOptions } from "./operations.ts";

export const JOB_STATES = ["queued", "running", "completed", "failed", "superseded"] as const;

export type JobState = (typeof JOB_STATES)[number];

/** What was found and done so far, by operation or component. */
export type Tallies = { [area: string]: { [what: string]: number } };

/** What a clean-up or a sync is to do. */
export type Task = { type: "cleanup"; options: CleanupOptions } | { type: "sync"; options: SyncOptions };

/**
 * A clean-up or a sync of the whole deployment. It goes through its plan pass by pass, each pass page by page, and stores
 * how far it is after each page: so it goes on after a crash, and of two workers that have its message one stops.
 */
export type Job = Task & Course;

/** What all jobs have. */
interface Course {
  id: string;
  state: JobState;
  /** Names of the passes, in order. */
  plan: string[];
  /** The pass that is next, and where in it. */
  step: number;
  cursor?: string;
  tallies: Tallies;
  /** Of all turns together. */
  processing_ms: number;
  /** How often it failed since it last came any further. */
  attempts: number;
  /** What it failed with last. */
  error?: string;
  /** Counts every write. */
  revision: number;
  /** ISO */
  submitted_at: string;
  submitted_by: string;
  /** When its message was last sent, or it last came any further; ISO. */
  queued_at: string;
  started_at?: string;
  finished_at?: string;
}

const KIND = "maintenance_job";
const ALL = `${OPERATOR_ORG}#maintenance`;
const UNFINISHED = "unfinished-maintenance";
/** Names the sync that may work on the index; another one takes its place only when it has ended, or is told to. */
const SYNC_KEY: RecordKey = { pk: ALL, sk: "sync" };
const KEPT_SECONDS = 30 * 86_400;

const jobKey = (id: string): RecordKey => ({ pk: `${OPERATOR_ORG}#${id}`, sk: KIND });

export function isOver({ state }: Pick<Job, "state">): boolean {
  return state !== "queued" && state !== "running";
}

export function newJob<Wanted extends Task>(
  { ids, clock }: Pick<Home, "ids" | "clock">,
  task: Wanted,
  plan: string[],
  submitted_by: string,
): Wanted & Course {
  const now = timestamp(clock());
  const course: Course = {
    id: ids("job"),
    state: "queued",
    plan,
    step: 0,
    tallies: {},
    processing_ms: 0,
    attempts: 0,
    revision: 1,
    submitted_at: now,
    submitted_by,
    queued_at: now,
  };
  return { ...task, ...course };
}

export function putJob(job: Job, condition: Condition): Write {
  const { id, submitted_at, queued_at, finished_at } = job;
  const pending = isOver(job) ? {} : { gsi2pk: UNFINISHED, gsi2sk: `${queued_at}#${id}` };
  const ttl = finished_at === undefined ? undefined : Math.ceil(Date.parse(finished_at) / 1000) + KEPT_SECONDS;
  const index = { gsi1pk: ALL, gsi1sk: `${submitted_at}#${id}`, ...pending, ttl };
  return { put: toItem(jobKey(id), KIND, job, index), condition };
}

/** What a job becomes, refused when anything of it changed since it was read. */
export function replaceJob(before: Job, change: Partial<Job>): { job: Job; write: Write } {
  const job = { ...before, ...change, revision: before.revision + 1 } as Job;
  return { job, write: putJob(job, { revision: before.revision }) };
}

export async function findJob(records: RecordStore, id: string): Promise<Job | undefined> {
  const record = await records.get(jobKey(id));
  return record && fromItem<Job>(record);
}

/** Newest first. */
export async function listJobs(
  records: RecordStore,
  filter: { id?: string; type?: Task["type"]; state?: JobState },
  page: PageRequest,
): Promise<Omit<RecordListing, "items"> & { jobs: Job[] }> {
  const where = filterBy(filter);
  const { items, ...rest } = await readPage(records, { index: "gsi1", pk: ALL, where, descending: true }, page);
  return { jobs: items.map((item) => fromItem<Job>(item)), ...rest };
}

/** Those that were queued or came any further before an instant (ISO), and not since. */
export async function listOverdue(records: RecordStore, before: string, limit: number): Promise<Job[]> {
  const { items } = await records.query({ index: "gsi2", pk: UNFINISHED, sk: { atMost: before }, limit });
  return items.map((item) => fromItem<Job>(item));
}

// ---------------------------------------------------------------- one sync at a time

/** The sync that was begun last, if it is there still. */
export async function findLatestSync(records: RecordStore): Promise<Job | undefined> {
  const record = await records.get(SYNC_KEY);
  return typeof record?.job_id === "string" ? findJob(records, record.job_id) : undefined;
}

/** Makes a sync the one that is begun last; refused when that is not `former` any more. */
export function succeedSync(job: Job, former: Job | undefined): Write {
  const place = former?.id ?? "";
  const condition = { job_id: { atLeast: place, atMost: place, orAbsent: true as const } };
  return { put: toItem(SYNC_KEY, "maintenance_sync", { job_id: job.id }), condition };
}

// ---------------------------------------------------------------- the queue

/** What a message of the queue holds: the job's record says the rest. */
export interface JobMessage {
  job_id: string;
}

/** Tells the workers of a stored job. A message that cannot be sent now is sent by the sweep. */
export async function announce(
  { ports, logger }: Pick<Home, "ports" | "logger">,
  { id }: Pick<Job, "id">,
  delaySeconds = 0,
): Promise<void> {
  const body = { job_id: id } satisfies JobMessage;
  try {
    await ports.queue.send(MAINTENANCE_QUEUE, [{ body, delaySeconds }]);
  } catch (error) {
    logger.warn("JOB_NOT_QUEUED", { job: id, error });
  }
}
