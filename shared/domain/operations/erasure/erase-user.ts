import type { JobHandler } from "../../../runtime/jobs/handler.ts";
import { eraseExports, eraseMentions } from "./mentions.ts";
import { eraseConnections, eraseDerived, eraseMemories, eraseSessions, eraseSources } from "./owned.ts";
import { erasureOf, type Pass } from "./pass.ts";
import { awaitRemovals, awaitTransfers, dropPending } from "./pending.ts";
import { checkErased, eraseQueries, scrubFiles } from "./traces.ts";

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
  { name: "pending_work", run: dropPending },
  { name: "transfers", run: awaitTransfers },
  { name: "exports", run: eraseExports },
  { name: "mentions", run: eraseMentions, delayMs: FEED_LAG_MS },
  { name: "pending_work", run: dropPending },
  { name: "sessions", run: eraseSessions },
  { name: "memories", run: eraseMemories },
  { name: "connections", run: eraseConnections },
  { name: "sources", run: eraseSources },
  { name: "removals", run: awaitRemovals },
  { name: "memories", run: eraseMemories },
  { name: "mentions", run: eraseMentions, delayMs: FEED_LAG_MS },
  { name: "derived", run: eraseDerived },
  { name: "queries", run: eraseQueries },
  { name: "check", run: checkErased },
  { name: "files", run: scrubFiles },
];

/** The names of an erasure's passes, in order. */
export const PASS_NAMES = PASSES.map(({ name }) => name);

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
