import type { OrgHome } from "../platform/context.ts";
import type { Write } from "../platform/ports.ts";
import type { Job, JobProgress } from "./job.ts";
import type { JobCheckpoint, JobKind } from "./kinds.ts";

/** What is stored together with a job's own record. */
export interface JobWrites {
  /** Other writes of the same transaction, at most 99. A step that is done twice stores them once. */
  writes?: Write[];
  /** Makes the transaction, with the job's write in it, where another function owns it. Takes the place of `writes`. */
  commit?(write: Write): Promise<unknown>;
}

/** How far a job is. */
export interface JobReached<Kind extends JobKind> extends JobWrites {
  checkpoint: JobCheckpoint<Kind>;
  progress?: JobProgress;
  /** Ends the turn: the next one is due after this long. */
  delayMs?: number;
}

/** How a job ended. */
export interface JobEnd<Kind extends JobKind> extends JobWrites {
  end: "completed" | "failed" | "cancelled";
  error?: string;
  checkpoint?: JobCheckpoint<Kind>;
  progress?: JobProgress;
}

/** A worker's turn on a job: until its time is up it may take one step after the other. */
export interface JobTurn<Kind extends JobKind> {
  /** The job as it was stored last. */
  readonly job: Job<Kind>;
  /** Whether the time is up, so that no further part should be begun. */
  isOver(): boolean;
  /** Stores a checkpoint in the middle of a step. Throws Superseded where the job changed elsewhere. */
  save(reached: Omit<JobReached<Kind>, "delayMs">): Promise<void>;
  /**
   * Stores a checkpoint that is no progress, such as what an attempt did that is about to fail: attempts are counted on.
   * Throws Superseded.
   */
  note(reached: Omit<JobReached<Kind>, "delayMs">): Promise<void>;
  /** Renews the lease in the middle of a long step, and stores its progress. Throws Superseded. */
  renew(progress?: JobProgress): Promise<void>;
}

/**
 * How a kind of job is done. A step may be repeated: what it does outside of its writes must be harmless to do twice. An
 * error it throws is retried after a wait, from the last checkpoint, and fails the job after the last attempt.
 */
export interface JobHandler<Kind extends JobKind> {
  kind: Kind;
  /** Does the next part of the work. */
  step(home: OrgHome, turn: JobTurn<Kind>): Promise<JobReached<Kind> | JobEnd<Kind>>;
  /** What is stored together with the start of the first attempt, such as the public resource's. */
  onStarted?(home: OrgHome, job: Job<Kind>): Promise<JobWrites>;
  /** What is stored together with the failure, such as the public resource's. */
  onFailed?(home: OrgHome, job: Job<Kind>, error: unknown): Promise<JobWrites>;
  /** Whether a retry fails likewise, so that the job fails at once. */
  isPermanent?(error: unknown): boolean;
  /** Whether the service is not at fault, but a file or a provider, say: what is logged is a warning then. */
  isOutside?(error: unknown): boolean;
  /** Whether the error says that nothing is left to do, so that the job ends as cancelled. */
  isMoot?(error: unknown): boolean;
  /** Follows the end, at most once: for what may be lost, such as counts and blobs that a clean-up finds. */
  onEnded?(home: OrgHome, job: Job<Kind>): Promise<void> | void;
}

/** The handler of any kind. */
export type AnyJobHandler = { [Kind in JobKind]: JobHandler<Kind> }[JobKind];
