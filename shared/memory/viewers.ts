import { inParallel } from "../kernel/parallel.ts";
import { unexpired } from "../platform/conditions.ts";
import { ConditionFailed } from "../platform/errors.ts";
import { toItem } from "../platform/item.ts";
import { COUNT_CEILING } from "../platform/listing.ts";
import type {
  AttributeTests,
  Json,
  RecordKey,
  RecordQuery,
  RecordStore,
  StoredRecord,
  Write,
} from "../platform/ports.ts";
import type { Memory } from "./memory.ts";
import { type Reach, type SharedAccess, type Viewer, viewersOf } from "./visibility.ts";

/**
 * An agent's lists of memories: one record an agent that may see a memory, in the memory's item collection, so that it
 * goes with it. What it repeats of the memory is what lists filter and sort by; whether the agent may see the memory
 * is told by the memory alone.
 */
const VIEWER_KIND = "viewer";
const WIDTH = 8;

const viewerKey = (org: string, id: string, agent: string): RecordKey => ({
  pk: `${org}#${id}`,
  sk: `viewer#${agent}`,
});
/** What the agent may see, by creation and by update. */
const memoriesSeenBy = (org: string, agent: string): string => `${org}#${agent}#memories`;
/** What is shared with it, by when that was. */
export const memoriesSharedWith = (org: string, agent: string): string => `${org}#${agent}#shares`;

/** The parts of a viewer's record that follow the memory. */
function movingParts({ id, user_id, created_at, updated_at, expire_at, revision }: Memory, { until }: Viewer) {
  const ends = [expire_at, until].filter((end) => end !== undefined).sort();
  const end = ends[0];
  const ttl = end === undefined ? undefined : Math.ceil(Date.parse(end) / 1000);
  const places = { gsi1sk: `${created_at}#${id}`, gsi2sk: `${updated_at}#${id}` };
  return { user_id, created_at, updated_at, ...places, revision, expire_at: end, ttl };
}

/** Lists a memory for a viewer; belongs into the transaction that lets the viewer see it. */
export function putViewer(memory: Memory, viewer: Viewer): Write {
  const { id, org, category, type, shares = [] } = memory;
  const { agent, reach } = viewer;
  const shared_at = shares.find(({ agent_id }) => agent_id === agent)?.shared_at;
  const { gsi1sk, gsi2sk, ttl, ...moving } = movingParts(memory, viewer);
  const value = { id, org, agent_id: agent, access_type: reach, category, type, ...moving };
  return {
    put: toItem(viewerKey(org, id, agent), VIEWER_KIND, value, {
      gsi1pk: memoriesSeenBy(org, agent),
      gsi1sk,
      gsi2pk: memoriesSeenBy(org, agent),
      gsi2sk,
      gsi3pk: shared_at === undefined ? undefined : memoriesSharedWith(org, agent),
      gsi3sk: shared_at === undefined ? undefined : `${shared_at}#${id}`,
      ttl,
    }),
  };
}

/** Takes a memory out of an agent's lists. */
export function removeViewer({ org, id }: Pick<Memory, "org" | "id">, agent: string): Write {
  return { delete: viewerKey(org, id, agent) };
}

/** Brings the lists of all viewers in line with a memory that changed; older and repeated news change nothing. */
export async function refreshViewers(records: RecordStore, memory: Memory, now: number): Promise<void> {
  await inParallel(viewersOf(memory, now), WIDTH, async (viewer) => {
    const { expire_at, ttl, user_id, ...set } = movingParts(memory, viewer);
    const ending: { [attribute: string]: Json } =
      expire_at === undefined || ttl === undefined ? {} : { expire_at, ttl };
    try {
      await records.write({
        update: viewerKey(memory.org, memory.id, viewer.agent),
        set: { ...set, ...ending, ...(user_id === undefined ? {} : { user_id }) },
        remove: expire_at === undefined ? ["expire_at", "ttl"] : [],
        condition: { revision: { lessThan: memory.revision } },
      });
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  });
}

/** What an agent may see, in the order of creation or update; `where` may test facets, dates and `access_type`. */
export function seenBy(
  org: string,
  agent: string,
  order: "created_at" | "updated_at",
): Pick<RecordQuery, "index" | "pk"> {
  return { index: order === "created_at" ? "gsi1" : "gsi2", pk: memoriesSeenBy(org, agent) };
}

/** What is shared with an agent and lasts, by when it was shared; narrow records, `id` is the memory's. */
export function sharedWith(org: string, agent: string, now: number, access?: SharedAccess) {
  const where: AttributeTests = { ...unexpired(now), ...(access !== undefined && { access_type: access }) };
  return { index: "gsi3" as const, pk: memoriesSharedWith(org, agent), where };
}

/** The id of the memory that a narrow record stands for, and how the agent reaches it. */
export function toSight({ id, access_type }: StoredRecord): { id: string; reach: Reach } {
  return { id: String(id), reach: access_type as Reach };
}

/** How many memories an agent stored that have not expired, up to COUNT_CEILING. */
export function countOwn(records: RecordStore, org: string, agent: string, now: number): Promise<number> {
  const where = { access_type: "own", ...unexpired(now) };
  return records.count({ index: "gsi1", pk: memoriesSeenBy(org, agent), where }, COUNT_CEILING);
}
