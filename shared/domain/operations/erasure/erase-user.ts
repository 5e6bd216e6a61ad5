import type { JobHandler } from "../../../runtime/jobs/handler.ts";
import { eraseExports, eraseMentions } from "./mentions.ts";
import { eraseConnections, eraseDerived, eraseMemories, eraseSessions, eraseSources } from "./owned.ts";
import { erasureOf, PASSES, type PassName, type Step } from "./pass.ts";
import { awaitRemovals, awaitTransfers, dropPending } from "./pending.ts";
import { checkErased, eraseQueries, scrubFiles } from "./traces.ts";

export type EraseUserInput = { user_id: string };

/** The current pass, its position, and the number of erased records. */
export type EraseUserCheckpoint = { pass: number; after?: string; erased: number };

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
  kind: "erase_user",

  async step(runtime, { job }) {
    const { pass, after: from, erased } = job.checkpoint;
    const current = PASSES[pass];
    if (!current) return { end: "completed" };
    const reached = await STEPS[current.name](runtime, erasureOf(job), from === "" ? undefined : from);
    const { after, delayMs = after === undefined ? PASSES[pass + 1]?.delayMs : undefined } = reached;
    const position = after === undefined ? { pass: pass + 1 } : { pass, after };
    return { checkpoint: { ...position, erased: erased + reached.erased }, delayMs };
  },

  onEnded({ logger }, { org, id, state, checkpoint }) {
    logger.info("USER_ERASED", { org, job: id, state, records: checkpoint.erased });
  },
};
