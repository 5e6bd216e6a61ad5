import type { OrgRuntime } from "../../../runtime/context.ts";
import type { Job } from "../../../runtime/jobs/job.ts";
import { FEED_LAG_MS, type Pass, type StepResult } from "./steps.ts";

/** The user of an erasure, and its time: everything stored until then is erased. */
export interface Erasure {
  user_id: string;
  /** ISO 8601; when it was requested. */
  asked_at: string;
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

/**
 * The passes of an erasure in order. References are erased first, while the ids of memories and sessions are known, and
 * again at the end, because deletions leave records that name the user.
 */
export const PASSES: readonly Pass<PassName>[] = [
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

export type OrganizationPassName = "webhooks" | "records" | "files" | "documents" | "scrub";

/**
 * The passes of an organization's erasure in order. Deletions of memories would notify webhooks, so these are deleted
 * first. Other processes accept the organization's credentials for some seconds, and read what the change feed has.
 */
export const ORGANIZATION_PASSES: readonly Pass<OrganizationPassName>[] = [
  { name: "webhooks" },
  { name: "records", delayMs: FEED_LAG_MS },
  { name: "files" },
  { name: "documents" },
  { name: "scrub" },
];

export function erasureOf({ input, submitted_at }: Job<"erase_user">): Erasure {
  return { user_id: input.user_id, asked_at: submitted_at };
}

/** Records per page, and records erased concurrently. */
export const PAGE = 250;
export const CONCURRENCY = 8;
/** Records deleted per transaction. */
export const DELETED_AT_ONCE = 40;
