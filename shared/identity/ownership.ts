import { groupsOf } from "../agents/group-records.ts";
import { agentsOf } from "../agents/records.ts";
import { connectionsOf } from "../connections/records.ts";
import type { JobHandler } from "../jobs/handler.ts";
import { type Job, newJob } from "../jobs/job.ts";
import { messageOf } from "../jobs/queue.ts";
import { findJob, insertJob } from "../jobs/records.ts";
import { runJob } from "../jobs/run.ts";
import { memoriesMade, memoriesOwned } from "../memory/ownership.ts";
import type { OrgHome } from "../platform/context.ts";
import type { RecordStore, Write } from "../platform/ports.ts";
import { sessionsOwned } from "../sessions/ownership.ts";
import { skillsOf } from "../skills/records.ts";
import { sourcesOwned } from "../sources/ownership.ts";
import { webhooksMade } from "../webhooks/records.ts";
import { apiKeysMade } from "./api-key-ownership.ts";
import { type Belongings, handOnPage, madeThings, type Succession } from "./belongings.ts";
import type { Principal } from "./principal.ts";
import { findUser } from "./users.ts";

/** What ends where nobody inherits it. All else stays as it is, and need not be looked at. */
const LIABILITIES: readonly Belongings[] = [apiKeysMade];

/** All that a user may own, in the order in which it is handed on: the liabilities first, by which places are the same. */
const ESTATE: readonly Belongings[] = [
  ...LIABILITIES,
  memoriesOwned,
  memoriesMade,
  sessionsOwned,
  madeThings("agents", agentsOf),
  madeThings("groups", groupsOf),
  madeThings("skills", skillsOf),
  madeThings("connections", connectionsOf),
  webhooksMade,
  sourcesOwned,
];

/**
 * The estate is gone through a second time, this long after the first: lists may lag, and other processes let a deleted
 * user's credentials in for some seconds.
 */
const SECOND_LOOK_MS = 15_000;
const LOOKS = 2;
/** How long a request goes on with it before it leaves the rest to the worker. */
const IN_REQUEST_MS = 3_000;

/** Where the next page of what is handed on begins. */
export interface HandOverCheckpoint {
  /** 1.., of LOOKS. */
  look: number;
  /** Place in ESTATE, and in its list. */
  place: number;
  after?: string;
  handed_on: number;
}

/** What becomes of what a deleted user owned. */
export type HandOver = Job<"ownership_transfer">;

/** A new job, and the write that belongs into the transaction that deletes the user. */
export function beginHandOver(
  ctx: Pick<OrgHome, "clock" | "ids" | "org"> & { principal: Pick<Principal, "id"> },
  succession: Succession,
): { handOver: HandOver; write: Write } {
  const handOver = newJob(ctx, "ownership_transfer", {
    input: succession,
    checkpoint: { look: 1, place: 0, handed_on: 0 },
    submitted_by: ctx.principal.id,
  });
  return { handOver, write: insertJob(handOver) };
}

/** Whether everything that could be seen by now has been handed on. */
export function isHandedOn({ checkpoint }: HandOver): boolean {
  return checkpoint.look > 1;
}

export function findHandOver(records: RecordStore, org: string, id: string): Promise<HandOver | undefined> {
  return findJob(records, org, id, "ownership_transfer");
}

/** Continues within a request for as long as that may take, and leaves the rest to the worker. */
export async function handOverNow(home: OrgHome, handOver: HandOver): Promise<void> {
  await runJob(home, [ownershipTransfer], messageOf(handOver), IN_REQUEST_MS);
}

/** Hands on page by page, until all is done or a second look is due. */
export const ownershipTransfer: JobHandler<"ownership_transfer"> = {
  kind: "ownership_transfer",

  async step(home, { job: { input, checkpoint } }) {
    const { after: from, ...reached } = checkpoint;
    const { look, place, handed_on } = reached;
    const to = place < ESTATE.length ? await findHeir(home, input.to) : undefined;
    const belongings = (to === undefined ? LIABILITIES : ESTATE)[place];
    if (belongings !== undefined) {
      const { handedOn, after } = await handOnPage(home, belongings, { from: input.from, to }, from);
      const next = after === undefined ? { place: place + 1 } : { place, after };
      return { checkpoint: { look, ...next, handed_on: handed_on + handedOn } };
    }
    if (look < LOOKS) return { checkpoint: { look: look + 1, place: 0, handed_on }, delayMs: SECOND_LOOK_MS };
    return { end: "completed", checkpoint: reached };
  },

  onEnded({ logger }, { org, id, state, checkpoint }) {
    logger.info("HANDED_OVER", { org, job: id, state, things: checkpoint.handed_on });
  },
};

/**
 * The heir, or the heir's own where that one is gone as well; nobody where those who were deleted at once were to
 * inherit from each other.
 */
async function findHeir(home: OrgHome, to: string | undefined): Promise<string | undefined> {
  const gone = new Set<string>();
  for (let next = to; next !== undefined && !gone.has(next); ) {
    const heir = await findUser(home.ports.records, home.org, next);
    if (!heir?.deletion) return heir?.id;
    gone.add(next);
    next = heir.deletion.transferred_to;
  }
  return undefined;
}
