import { groupsOf } from "../agents/group-records.ts";
import { agentsOf } from "../agents/records.ts";
import { connectionsOf } from "../connections/records.ts";
import { timestamp } from "../kernel/clock.ts";
import { memoriesMade, memoriesOwned } from "../memory/ownership.ts";
import type { Home, OrgHome } from "../platform/context.ts";
import { fromItem, toItem } from "../platform/item.ts";
import type { Condition, JsonObject, RecordKey, RecordStore, Write } from "../platform/ports.ts";
import { HAND_OVER_QUEUE } from "../platform/queues.ts";
import { writeUnlessChanged } from "../platform/unless-changed.ts";
import { sessionsOwned } from "../sessions/ownership.ts";
import { skillsOf } from "../skills/records.ts";
import { sourcesOwned } from "../sources/ownership.ts";
import { webhooksMade } from "../webhooks/records.ts";
import { apiKeysMade } from "./api-key-ownership.ts";
import { type Belongings, handOnPage, madeThings, type Succession } from "./belongings.ts";
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
/** How long the worker goes on with it before it makes room for the next. */
const IN_WORKER_MS = 60_000;
const OVERDUE_MS = 10 * 60_000;
const MAX_RESUMED = 100;

/** What becomes of what a deleted user owned, as a job that any process may go on with. */
export interface HandOver extends Succession {
  id: string;
  org: string;
  state: "running" | "done";
  /** 1.., of LOOKS. */
  look: number;
  /** ISO; not to be gone on with before. */
  due_at: string;
  /** Place in ESTATE, and in its list. */
  place: number;
  after?: string;
  handed_on: number;
  begun_at: string;
  finished_at?: string;
  /** Raised by every write; of two who go on with it at once, one stops. */
  revision: number;
}

const handOverKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}`, sk: "hand_over" });
const RUNNING = "running-hand-overs";

function putHandOver(handOver: HandOver, condition: Condition): Write {
  const { org, id, state, due_at } = handOver;
  const listing = state === "running" ? { gsi1pk: RUNNING, gsi1sk: `${due_at}#${id}` } : {};
  return { put: toItem(handOverKey(org, id), "hand_over", handOver, listing), condition };
}

/** A new job, and the write that belongs into the transaction that deletes the user. */
export function beginHandOver(
  { clock, ids, org }: Pick<OrgHome, "clock" | "ids" | "org">,
  succession: Succession,
): { handOver: HandOver; write: Write } {
  const now = timestamp(clock());
  const handOver: HandOver = {
    ...succession,
    id: ids("job"),
    org,
    state: "running",
    look: 1,
    due_at: now,
    place: 0,
    handed_on: 0,
    begun_at: now,
    revision: 1,
  };
  return { handOver, write: putHandOver(handOver, "absent") };
}

/** Whether everything that could be seen by now has been handed on. */
export function isHandedOn({ look }: Pick<HandOver, "look">): boolean {
  return look > 1;
}

export async function findHandOver(records: RecordStore, org: string, id: string): Promise<HandOver | undefined> {
  const record = await records.get(handOverKey(org, id));
  return record && fromItem<HandOver>(record);
}

/** What a message of the queue holds. */
export interface HandOverMessage {
  org: string;
  job_id: string;
}

/** Has the worker go on with it when it is due. A message that cannot be sent now is sent by the sweep. */
async function announce({ ports, clock, logger }: Home, { org, id, due_at }: HandOver): Promise<void> {
  const message: HandOverMessage = { org, job_id: id };
  const delaySeconds = Math.max(0, Math.ceil((Date.parse(due_at) - clock()) / 1000));
  try {
    await ports.queue.send(HAND_OVER_QUEUE, [{ body: message as unknown as JsonObject, delaySeconds }]);
  } catch (error) {
    logger.warn("HAND_OVER_NOT_QUEUED", { org, job: id, error });
  }
}

/** Goes on within a request for as long as that may take, and leaves the rest to the worker. */
export async function handOverNow(home: OrgHome, handOver: HandOver): Promise<void> {
  const reached = await goOn(home, handOver, home.clock() + IN_REQUEST_MS);
  if (reached?.state === "running") await announce(home, reached);
}

/** Goes on with a job that a message names; the message may come twice, late, or when there is nothing left to do. */
export async function continueHandOver(home: Home, { org, job_id }: HandOverMessage): Promise<void> {
  const handOver = await findHandOver(home.ports.records, org, job_id);
  if (handOver?.state !== "running") return;
  const reached = await goOn({ ...home, org }, handOver, home.clock() + IN_WORKER_MS);
  if (reached?.state === "running") await announce(home, reached);
}

/** Sends messages again that were lost; one that is only late does no harm by coming twice. */
export async function resumeHandOvers(home: Home): Promise<number> {
  const sk = { atMost: timestamp(home.clock() - OVERDUE_MS) };
  const { items } = await home.ports.records.query({ index: "gsi1", pk: RUNNING, sk, limit: MAX_RESUMED });
  for (const record of items) await announce(home, fromItem<HandOver>(record));
  return items.length;
}

/**
 * Page by page, keeping after each where it is, until all is done, not yet due, or out of time. Undefined where somebody
 * else went on with it meanwhile, who sees to the rest.
 */
async function goOn(home: OrgHome, from: HandOver, deadline: number): Promise<HandOver | undefined> {
  let handOver = from;
  while (handOver.state === "running" && Date.parse(handOver.due_at) <= home.clock() && home.clock() < deadline) {
    const next = await takeStep(home, handOver);
    if (!(await writeUnlessChanged(home, putHandOver(next, { revision: handOver.revision })))) return undefined;
    handOver = next;
  }
  return handOver;
}

async function takeStep(home: OrgHome, handOver: HandOver): Promise<HandOver> {
  const revision = handOver.revision + 1;
  const to = handOver.place < ESTATE.length ? await findHeir(home, handOver.to) : undefined;
  const belongings = (to === undefined ? LIABILITIES : ESTATE)[handOver.place];
  if (belongings === undefined) return endLook(home, { ...handOver, after: undefined, revision });
  const { handedOn, after } = await handOnPage(home, belongings, { from: handOver.from, to }, handOver.after);
  const place = after === undefined ? handOver.place + 1 : handOver.place;
  const handed_on = handOver.handed_on + handedOn;
  return { ...handOver, place, after, handed_on, due_at: timestamp(home.clock()), revision };
}

function endLook({ clock, logger }: OrgHome, handOver: HandOver): HandOver {
  const now = clock();
  if (handOver.look < LOOKS) {
    return { ...handOver, look: handOver.look + 1, place: 0, due_at: timestamp(now + SECOND_LOOK_MS) };
  }
  logger.info("HANDED_OVER", { org: handOver.org, job: handOver.id, things: handOver.handed_on });
  return { ...handOver, state: "done", finished_at: timestamp(now) };
}

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
