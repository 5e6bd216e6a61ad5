import type { JobHandler } from "../../../runtime/jobs/handler.ts";
import { eraseExports, eraseMentions } from "./mentions.ts";
import { eraseConnections, eraseDerived, eraseMemories, eraseSessions, eraseSources } from "./owned.ts";
import { erasureOf, type Pass } from "./pass.ts";
import { awaitRemovals, awaitTransfers, dropPending } from "./pending.ts";

export type EraseUserInput = { user_id: string };

/** The current pass, its position, and the number of erased records. */
export type EraseUserCheckpoint = { pass: number; after?: string; erased: number };

/** Time in which the change feed processes earlier writes. */
const FEED_LAG_MS = 15_000;

/**
 * References are erased first, while the ids of memories and sessions are known, and again at the end, because
 * deletions leave records that name the user.
 */
const PASSES: readonly Pass[] = [
  { run: dropPending },
  { run: awaitTransfers },
  { run: eraseExports },
  { run: eraseMentions, delayMs: FEED_LAG_MS },
  { run: dropPending },
  { run: eraseSessions },
  { run: eraseMemories },
  { run: eraseConnections },
  { run: eraseSources },
  { run: awaitRemovals },
  { run: eraseMemories },
  { run: eraseMentions, delayMs: FEED_LAG_MS },
  { run: eraseDerived },
];

/** Erases a user's data pass by pass; each step is idempotent. */
export const eraseUser: JobHandler<"erase_user"> = {
  kind: "erase_user",

  async step(runtime, { job }) {
    const { pass, after: from, erased } = job.checkpoint;
    const current = PASSES[pass];
    if (!current) return { end: "completed" };
    const reached = await current.run(runtime, erasureOf(job), from === "" ? undefined : from);
    const { after, delayMs = after === undefined ? PASSES[pass + 1]?.delayMs : undefined } = reached;
    const position = after === undefined ? { pass: pass + 1 } : { pass, after };
    return { checkpoint: { ...position, erased: erased + reached.erased }, delayMs };
  },

  onEnded({ logger }, { org, id, state, checkpoint }) {
    logger.info("USER_ERASED", { org, job: id, state, records: checkpoint.erased });
  },
};
