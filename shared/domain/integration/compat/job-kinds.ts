import { defineJob } from "../../../runtime/jobs/kinds.ts";
import { REMEMBER_JOBS } from "../../../runtime/jobs/policies.ts";
import type { ConversationCheckpoint } from "../../memory/conversation-steps.ts";
import type { Names } from "./filters.ts";

declare module "../../../runtime/jobs/kinds.ts" {
  interface JobTypes {
    remember: { input: null; checkpoint: ConversationCheckpoint };
    forget: { input: { names: Names }; checkpoint: null };
  }
}

export const REMEMBER_JOB = defineJob("remember", REMEMBER_JOBS);

export const FORGET_JOB = defineJob("forget", REMEMBER_JOBS);
