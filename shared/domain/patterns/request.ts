import { LRUCache } from "lru-cache";
import { timestamp } from "../../kernel/clock.ts";
import { sha256 } from "../../kernel/digest.ts";
import { MINUTE_MS } from "../../kernel/durations.ts";
import { derivedId } from "../../kernel/ids.ts";
import { tryWrite } from "../../ports/conflicts.ts";
import type { Runtime } from "../../runtime/context.ts";
import { newJob } from "../../runtime/jobs/job.ts";
import { enqueueJob } from "../../runtime/jobs/queue.ts";
import { insertJob } from "../../runtime/jobs/records.ts";
import { FIND_PATTERNS_JOB } from "./job-kinds.ts";

/** Whose patterns are to be found anew. */
export interface UserOfOrg {
  org: string;
  user_id: string;
}

/** Time after a user's first new memory in which further ones are collected. */
const COLLECT_MS = 10 * MINUTE_MS;
/** The same after a deletion, whose words must not stay in patterns. */
const COLLECT_DELETIONS_MS = MINUTE_MS;
const MAX_KNOWN = 10_000;

/** The jobs that this process requested; forgetting some only costs a repeated write. */
const requested = new LRUCache<string, true>({ max: MAX_KNOWN });

/** The part of a process that requests jobs. */
type Requester = Pick<Runtime, "ports" | "clock" | "ids" | "logger">;

/**
 * Requests to find the patterns of users anew, once per user and interval: one conditional write for the first of many
 * memories. Repeated and late requests change nothing.
 */
export async function requestPatterns(
  runtime: Requester,
  users: readonly UserOfOrg[],
  { isAfterDeletion = false }: { isAfterDeletion?: boolean } = {},
): Promise<void> {
  const intervalMs = isAfterDeletion ? COLLECT_DELETIONS_MS : COLLECT_MS;
  const interval = Math.floor(runtime.clock() / intervalMs);
  const distinct = new Map(users.map((user) => [JSON.stringify([user.org, user.user_id, intervalMs, interval]), user]));
  for (const [name, user] of distinct) {
    if (requested.has(name)) continue;
    await insert(runtime, user, { name, due: (interval + 1) * intervalMs, isUrgent: isAfterDeletion });
    requested.set(name, true);
  }
}

/** Requests to find a user's patterns now, unless that is in progress; returns the id of the job. */
export function findPatternsNow(runtime: Requester, user: UserOfOrg): Promise<string> {
  const name = JSON.stringify([user.org, user.user_id, "now"]);
  return insert(runtime, user, { name, due: runtime.clock(), isUrgent: true });
}

/** Stores and enqueues the job with this name, unless it exists; returns its id. */
async function insert(
  runtime: Requester,
  { org, user_id }: UserOfOrg,
  { name, due, isUrgent }: { name: string; due: number; isUrgent: boolean },
): Promise<string> {
  const job = newJob({ ...runtime, org }, FIND_PATTERNS_JOB, {
    id: derivedId("job", sha256(JSON.stringify(["find_patterns", name]))),
    input: { user_id, due_at: timestamp(due), ...(isUrgent && { is_urgent: true as const }) },
    checkpoint: null,
    submitted_by: org,
    delayMs: due - runtime.clock(),
  });
  if (await tryWrite(runtime, insertJob(job))) await enqueueJob(runtime, job);
  return job.id;
}
