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

/** A step of a pass; `after` is the position that the last step reached. Idempotent. */
export type Step = (runtime: OrgRuntime, erasure: Erasure, after: string | undefined) => Promise<StepResult>;

export type PassName =
  | "pending_work"
  | "transfers"
  | "exports"
  | "mentions"
  | "sessions"
  | "memories"
  | "connections"
  | "sources"
  | "removals"
  | "derived"
  | "queries"
  | "check"
  | "files";

/** A part of an erasure, with the delay before it. */
interface Pass {
  /** Shown by `GET /admin/jobs`. */
  name: PassName;
  delayMs?: number;
}

/** Time in which the change feed processes earlier writes. */
const FEED_LAG_MS = 15_000;

/**
 * The passes of an erasure in order. References are erased first, while the ids of memories and sessions are known, and
 * again at the end, because deletions leave records that name the user.
 */
export const PASSES: readonly Pass[] = [
  { name: "pending_work" },
  { name: "transfers" },
  { name: "exports" },
  { name: "mentions", delayMs: FEED_LAG_MS },
  { name: "pending_work" },
  { name: "sessions" },
  { name: "memories" },
  { name: "connections" },
  { name: "sources" },
  { name: "removals" },
  { name: "memories" },
  { name: "mentions", delayMs: FEED_LAG_MS },
  { name: "derived" },
  { name: "queries" },
  { name: "check" },
  { name: "files" },
];

export function erasureOf({ input, submitted_at }: Job<"erase_user">): Erasure {
  return { user_id: input.user_id, asked_at: submitted_at };
}

/** Records per page, and records erased concurrently. */
export const PAGE = 250;
export const CONCURRENCY = 8;
/** Records deleted per transaction. */
export const DELETED_AT_ONCE = 40;
