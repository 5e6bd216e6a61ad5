import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../kernel/durations.ts";
import { MAINTENANCE_QUEUE, REMEMBER_QUEUE } from "../../ports/queues.ts";
import type { JobPolicy } from "./kinds.ts";

/** Returns a function from the number of attempts to the wait in milliseconds, which grows with their square. */
export const retryAfter = (seconds: number) => (attempts: number) => seconds * SECOND_MS * attempts ** 2;

/** Jobs of the maintenance queue. */
export const MAINTENANCE_JOBS: JobPolicy = {
  queue: MAINTENANCE_QUEUE,
  maxAttempts: 5,
  retryMs: retryAfter(10),
  leaseMs: 10 * MINUTE_MS,
  overdueMs: 15 * MINUTE_MS,
  keptMs: 30 * DAY_MS,
  list: { name: "maintenance", by: "submission" },
};

/** Kept only to investigate failures, because a conversation's checkpoint quotes it. The event keeps the result. */
export const REMEMBER_JOBS: JobPolicy = {
  queue: REMEMBER_QUEUE,
  maxAttempts: 5,
  retryMs: retryAfter(5),
  leaseMs: 10 * MINUTE_MS,
  overdueMs: 10 * MINUTE_MS,
  keptMs: DAY_MS,
};
