import type { OrgRuntime } from "../../../runtime/context.ts";
import type { Job } from "../../../runtime/jobs/job.ts";

/** The user of an erasure, and its time: everything stored until then is erased. */
export interface Erasure {
  user_id: string;
  /** ISO 8601; when it was requested. */
  asked_at: string;
}

/** The number of records that a step erased, and the next position; without one, the pass is over. */
export interface StepResult {
  erased: number;
  after?: string;
  /** How long to wait for other work that must end before the pass continues. */
  delayMs?: number;
}

/** A part of an erasure; each step is idempotent. */
export interface Pass {
  /** Shown by `GET /admin/jobs`. */
  name: string;
  /** Delay before the pass, so that the change feed has processed earlier writes. */
  delayMs?: number;
  run(runtime: OrgRuntime, erasure: Erasure, after: string | undefined): Promise<StepResult>;
}

export function erasureOf({ input, submitted_at }: Job<"erase_user">): Erasure {
  return { user_id: input.user_id, asked_at: submitted_at };
}

/** Records per page, and records erased concurrently. */
export const PAGE = 250;
export const CONCURRENCY = 8;
/** Records deleted per transaction. */
export const DELETED_AT_ONCE = 40;
