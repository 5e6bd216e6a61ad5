import type { JobHandler } from "../jobs/handler.ts";
import { eraseExports, eraseMentions } from "./mentions.ts";
import { eraseConnections, eraseDerived, eraseMemories, eraseSessions, eraseSources } from "./owned.ts";
import { erasureOf, type Pass } from "./pass.ts";
import { awaitRemovals, awaitTransfers, dropPending } from "./pending.ts";

export type EraseUserInput = { user_id: string };

/** The pass that is next, where in it, and how many records went so far. */
export type EraseUserCheckpoint = { pass: number; after?: string; erased: number };

const FEED_LAG_MS = 15_000;

/**
 * While the memories and sessions are there, their ids tell what mentions them; what their ends leave names the user. So
 * mentions go before them, and once more at the end.
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

/** Erases what is stored of a user, pass by pass; each step may be repeated. */
export const eraseUser: JobHandler<"erase_user"> = {
  kind: "erase_user",

  async step(home, { job }) {
    const { pass, after: from, erased } = job.checkpoint;
    const current = PASSES[pass];
    if (!current) return { end: "completed" };
    const reached = await current.run(home, erasureOf(job), from === "" ? undefined : from);
    const { after, delayMs = after === undefined ? PASSES[pass + 1]?.delayMs : undefined } = reached;
    const place = after === undefined ? { pass: pass + 1 } : { pass, after };
    return {
      checkpoint: { ...place, erased: erased + reached.erased },
      ...(delayMs !== undefined && { delayMs }),
    };
  },

  onEnded({ logger }, { org, id, state, checkpoint }) {
    logger.info("USER_ERASED", { org, job: id, state, records: checkpoint.erased });
  },
};
