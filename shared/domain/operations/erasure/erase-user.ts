import type { JobHandler } from "../../../runtime/jobs/handler.ts";
import { ERASE_USER_JOB } from "./job-kinds.ts";
import { eraseExports, eraseMentions } from "./mentions.ts";
import { eraseConnections, eraseDerived, eraseMemories, eraseSessions, eraseSources } from "./owned.ts";
import { erasureOf, PASSES, type PassName, type Step } from "./pass.ts";
import { awaitRemovals, awaitTransfers, dropPending } from "./pending.ts";
import { takeStep } from "./steps.ts";
import { checkErased, eraseQueries, scrubFiles } from "./traces.ts";

export type EraseUserInput = { user_id: string };

const STEPS: Record<PassName, Step> = {
  pending_work: dropPending,
  transfers: awaitTransfers,
  exports: eraseExports,
  mentions: eraseMentions,
  sessions: eraseSessions,
  memories: eraseMemories,
  connections: eraseConnections,
  sources: eraseSources,
  removals: awaitRemovals,
  derived: eraseDerived,
  queries: eraseQueries,
  check: checkErased,
  files: scrubFiles,
};

/** Erases a user's data pass by pass; each step is idempotent. */
export const eraseUser: JobHandler<"erase_user"> = {
  job: ERASE_USER_JOB,

  step: (runtime, { job }) =>
    takeStep(PASSES, job.checkpoint, (name, after) => STEPS[name](runtime, erasureOf(job), after)),

  onEnded({ logger }, { org, id, state, checkpoint }) {
    logger.info("USER_ERASED", { org, job: id, state, records: checkpoint.erased });
  },
};
