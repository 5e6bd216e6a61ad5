import { defineJob } from "../../runtime/jobs/kinds.ts";
import { MAINTENANCE_JOBS } from "../../runtime/jobs/policies.ts";
import type { FindPatternsInput } from "./find-patterns.ts";

declare module "../../runtime/jobs/kinds.ts" {
  interface JobTypes {
    find_patterns: { input: FindPatternsInput; checkpoint: null };
  }
}

/** One per user and interval: its record is not kept. The next memory requests another. */
export const FIND_PATTERNS_JOB = defineJob("find_patterns", {
  ...MAINTENANCE_JOBS,
  maxAttempts: 3,
  keptMs: 0,
  list: undefined,
});
