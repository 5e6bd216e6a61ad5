import type { Write } from "../../ports/record-store.ts";
import type { OrgRuntime } from "../context.ts";
import type { Job, JobProgress } from "./job.ts";
import type { JobCheckpoint, JobDefinition, JobKind } from "./kinds.ts";

/** Writes that are stored in the same transaction as the job's record. */
export interface JobWrites {
  /** Other writes of the same transaction, at most 99. A repeated step stores them once. */
  writes?: Write[];
  /** Runs the transaction, including the job's write, if another function owns it. Replaces `writes`. */
  commit?(write: Write): Promise<unknown>;
}

/** The result of a step after which the job continues. */
export interface JobReached<Kind extends JobKind> extends JobWrites {
  checkpoint: JobCheckpoint<Kind>;
  progress?: JobProgress;
  /** Ends the turn; the next turn is due after this many milliseconds. */
  delayMs?: number;
}

/** How a job ended. */
export interface JobEnd<Kind extends JobKind> extends JobWrites {
  end: "completed" | "failed" | "cancelled";
  error?: string;
  checkpoint?: JobCheckpoint<Kind>;
  progress?: JobProgress;
}

/** A worker's turn on a job: it may take several steps until its time is up. */
export interface JobTurn<Kind extends JobKind> {
  /** The job as it was last stored. */
  readonly job: Job<Kind>;
  /** Whether the time is up, so that no further part should start. */
  isOver(): boolean;
  /** Stores a checkpoint in the middle of a step. Throws StaleJobError if another worker changed the job. */
  save(reached: Omit<JobReached<Kind>, "delayMs">): Promise<void>;
  /**
   * Stores a checkpoint that does not count as progress, such as that of an attempt that is about to fail: the number
   * of attempts is kept. Throws StaleJobError.
   */
  note(reached: Omit<JobReached<Kind>, "delayMs">): Promise<void>;
  /** Renews the lease in the middle of a long step and stores its progress. Throws StaleJobError. */
  renew(progress?: JobProgress): Promise<void>;
}

/**
 * Implements a kind of job. A step may be repeated, so effects outside of its writes must be idempotent. After an
 * error, the job waits and continues from the last checkpoint; after the last attempt, it fails.
 */
export interface JobHandler<Kind extends JobKind> {
  job: JobDefinition<Kind>;
  /** Processes the next part of the work; returns the progress, or how the job ended. */
  step(runtime: OrgRuntime, turn: JobTurn<Kind>): Promise<JobReached<Kind> | JobEnd<Kind>>;
  /** Writes stored with the start of the first attempt, such as the state of the public resource. */
  onStarted?(runtime: OrgRuntime, job: Job<Kind>): Promise<JobWrites>;
  /** Writes stored with the failure, such as the state of the public resource. */
  onFailed?(runtime: OrgRuntime, job: Job<Kind>, error: unknown): Promise<JobWrites>;
  /** Whether a retry would fail the same way, so that the job fails at once. */
  isPermanent?(error: unknown): boolean;
  /** Whether the cause is outside of the service, such as a file or a provider: then it is logged as a warning. */
  isOutside?(error: unknown): boolean;
  /** Whether the error means that there is nothing left to do, so that the job ends as cancelled. */
  isMoot?(error: unknown): boolean;
  /**
   * Runs after the end, at most once: for effects that may get lost, such as counts, or deletions that a cleanup
   * repeats.
   */
  onEnded?(runtime: OrgRuntime, job: Job<Kind>): Promise<void> | void;
}

/** The handler of any kind. */
export type AnyJobHandler = { [Kind in JobKind]: JobHandler<Kind> }[JobKind];
