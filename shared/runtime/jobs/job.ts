import { timestamp } from "../../kernel/clock.ts";
import type { OrgRuntime } from "../context.ts";
import { type JobCheckpoint, type JobDefinition, type JobInput, type JobKind, policyOf } from "./kinds.ts";

/** `queued`: no worker has started, or an attempt failed. `running`: a worker processes it, or its next turn is due. */
export const JOB_STATES = ["queued", "running", "completed", "failed", "cancelled"] as const;

export type JobState = (typeof JOB_STATES)[number];

/** How many parts of the total are done. */
export interface JobProgress {
  total: number;
  done: number;
  failed: number;
}

/** A unit of background work. It is stored before it is enqueued, so a lost message does not lose it. */
export interface Job<Kind extends JobKind = JobKind> {
  id: string;
  org: string;
  kind: Kind;
  state: JobState;
  /** The request; it never changes. */
  input: JobInput<Kind>;
  /** Where the next step continues. */
  checkpoint: JobCheckpoint<Kind>;
  progress?: JobProgress;
  /** Attempts since the job last made progress. */
  attempts: number;
  /** Epoch milliseconds until which a worker holds the job. Absent between turns. */
  lease_until?: number;
  /** The error of the last attempt. */
  error?: string;
  submitted_by: string;
  /** ISO 8601, like the following timestamps. */
  submitted_at: string;
  /** When it is due; no worker starts earlier. */
  queued_at: string;
  /** After this time the sweep enqueues it again. */
  overdue_at: string;
  started_at?: string;
  finished_at?: string;
  /** Incremented by every write, which is conditional on the revision that it read: of two workers, one is refused. */
  revision: number;
}

/** A job of one of these kinds, discriminated by `kind`. */
export type JobOf<Kind extends JobKind> = { [Each in Kind]: Job<Each> }[Kind];

/** Maximum delay of a queue message. A job that is due later is enqueued by the sweep. */
export const MAX_DELAY_MS = 900_000;
/** Milliseconds after the end of a lease until the job is overdue. */
const LEASE_GRACE_MS = 60_000;
const MAX_ERROR_LENGTH = 500;

/** Whether the job has ended. */
export function isOver({ state }: Pick<Job, "state">): boolean {
  return state !== "queued" && state !== "running";
}

/** The parts of a new job; `id` if the resource provides it, `delayMs` if it is not due at once. */
export interface NewJob<Kind extends JobKind> {
  input: JobInput<Kind>;
  checkpoint: JobCheckpoint<Kind>;
  submitted_by: string;
  progress?: JobProgress;
  id?: string;
  delayMs?: number;
}

/** Creates a job that is to be stored (`insertJob`) and then enqueued (`enqueueJob`). */
export function newJob<Kind extends JobKind>(
  { ids, clock, org }: Pick<OrgRuntime, "ids" | "clock" | "org">,
  { kind }: JobDefinition<Kind>,
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

/** Returns when a job that no worker holds is due and overdue. */
export function due(kind: JobKind, now: number, delayMs = 0): Pick<Job, "queued_at" | "overdue_at"> {
  const wait = delayMs > MAX_DELAY_MS ? 0 : policyOf(kind).overdueMs;
  return { queued_at: timestamp(now + delayMs), overdue_at: timestamp(now + delayMs + wait) };
}

/** Returns the lease of a worker that starts or continues at `now`. */
export function leased(kind: JobKind, now: number): Required<Pick<Job, "state" | "lease_until" | "overdue_at">> {
  const lease_until = now + policyOf(kind).leaseMs;
  return { state: "running", lease_until, overdue_at: timestamp(lease_until + LEASE_GRACE_MS) };
}

type Ended = Partial<Pick<Job, "state" | "finished_at" | "lease_until" | "error">>;

/** Returns the change that ends a job. */
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
