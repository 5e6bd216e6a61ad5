import { defineJob } from "../../runtime/jobs/kinds.ts";
import { REMEMBER_JOBS } from "../../runtime/jobs/policies.ts";
import type { RememberSessionCheckpoint, RememberSessionInput } from "./remember.ts";

declare module "../../runtime/jobs/kinds.ts" {
  interface JobTypes {
    remember_session: { input: RememberSessionInput; checkpoint: RememberSessionCheckpoint };
  }
}

/** The checkpoint quotes messages, so the end deletes the job. */
export const REMEMBER_SESSION_JOB = defineJob("remember_session", { ...REMEMBER_JOBS, keptMs: 0 });
