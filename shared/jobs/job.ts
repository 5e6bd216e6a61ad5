import { timestamp } from "../kernel/clock.ts";
import type { Home, OrgHome } from "../platform/context.ts";
import { type JobCheckpoint, type JobInput, type JobKind, policyOf } from "./kinds.ts";

/** `queued`: no worker has begun, or an attempt failed. `running`: a worker has it, or its next turn is due. */
export const JOB_STATES = ["queued", "running", "completed", "failed", "cancelled"] as const;

export type JobState = (typeof JOB_STATES)[number];

/** How many parts of the whole are done. */
export interface JobProgress {
  total: number;
  done: number;
  failed: number;
}

/** One piece of background work. Stored before it is announced, so that no lost message loses it. */
export interface Job<Kind extends JobKind = JobKind> {
  id: string;
  org: string;
  kind: Kind;
  state: JobState;
  /** What is asked for; never changes. */
  input: JobInput<Kind>;
  /** Where the next step continues. */
  checkpoint: JobCheckpoint<Kind>;
  progress?: JobProgress;
  /** How often a worker has begun since the job last made progress. */
  attempts: number;
  /** Epoch milliseconds; until then a worker is trusted to be at work on it. Absent between turns. */
  lease_until?: number;
  /** What the last attempt failed with. */
  error?: string;
  submitted_by: string;
  /** ISO, like all that follow. */
  submitted_at: string;
  /** When it is due: no worker begins sooner. */
  queued_at: string;
  /** From then on the sweep announces it again. */
  overdue_at: string;
  started_at?: string;
  finished_at?: string;
  /** Raised by every write, which names the one it read: of two workers, one is refused. */
  revision: number;
}

/** Jobs of these kinds, told apart by `kind`. */
export type JobOf<Kind extends JobKind> = { [Each in Kind]: Job<Each> }[Kind];

/** The longest that a queue delays a message. A job that is due later waits for the sweep. */
export const MAX_DELAY_MS = 900_000;
/** A lease that nobody ended is taken over this long after its end. */
const LEASE_GRACE_MS = 60_000;
const MAX_ERROR_LENGTH = 500;

export function isOver({ state }: Pick<Job, "state">): boolean {
  return state !== "queued" && state !== "running";
}

/** What a new job is made of; `id` where a resource gives it its own, `delayMs` where it is not due at once. */
export interface NewJob<Kind extends JobKind> {
  input: JobInput<Kind>;
  checkpoint: JobCheckpoint<Kind>;
  submitted_by: string;
  progress?: JobProgress;
  id?: string;
  delayMs?: number;
}

/** A job that is to be stored (`insertJob`) and then announced (`enqueueJob`). */
export function newJob<Kind extends JobKind>(
  { ids, clock, org }: Pick<OrgHome, "ids" | "clock" | "org">,
  kind: Kind,
  { id = ids("job"), delayMs = 0, ...given }: NewJob<Kind>,
): Job<Kind> {
  const now = clock();
  const submitted_at = timestamp(now);
  return {
    id,
    org,
    kind,
    state: "queued",
    ...given,
    attempts: 0,
    submitted_at,
    ...due(kind, now, delayMs),
    revision: 1,
  };
}

/** When a job is due that nobody is at work on, and when it is overdue. */
export function due(kind: JobKind, now: number, delayMs = 0): Pick<Job, "queued_at" | "overdue_at"> {
  const wait = delayMs > MAX_DELAY_MS ? 0 : policyOf(kind).overdueMs;
  return { queued_at: timestamp(now + delayMs), overdue_at: timestamp(now + delayMs + wait) };
}

/** What a worker holds that begins or continues at `now`. */
export function leased(kind: JobKind, now: number): Required<Pick<Job, "state" | "lease_until" | "overdue_at">> {
  const lease_until = now + policyOf(kind).leaseMs;
  return { state: "running", lease_until, overdue_at: timestamp(lease_until + LEASE_GRACE_MS) };
}

/**
 * Whether a worker is at work on it. On one machine there is one process: a lease that was given or renewed before it
 * started died with the process before it.
 */
export function isLeased({ kind, state, lease_until }: Job, { clock, config, startedAt }: Home): boolean {
  if (state !== "running" || lease_until === undefined || lease_until <= clock()) return false;
  return config.PLATFORM !== "local" || lease_until - policyOf(kind).leaseMs >= startedAt;
}

type Ended = Partial<Pick<Job, "state" | "finished_at" | "lease_until" | "error">>;

/** The change that ends a job. */
export function ended(state: "completed" | "failed" | "cancelled", now: number, error?: unknown): Ended {
  return {
    state,
    finished_at: timestamp(now),
    lease_until: undefined,
    error: error === undefined ? undefined : describeError(error),
  };
}

export function describeError(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, MAX_ERROR_LENGTH);
}
