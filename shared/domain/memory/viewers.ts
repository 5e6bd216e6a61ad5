import { inParallel } from "../../kernel/parallel.ts";
import { unexpired } from "../../ports/conditions.ts";
import { tryWrite } from "../../ports/conflicts.ts";
import { toItem } from "../../ports/item.ts";
import { COUNT_CEILING } from "../../ports/listing.ts";
import type { AttributeTests, RecordKey, RecordStore, StoredRecord, Write } from "../../ports/record-store.ts";
import type { Runtime } from "../../runtime/context.ts";
import type { Memory } from "./memory.ts";
import { type AccessLevel, type SharedAccess, type Viewer, viewersOf } from "./visibility.ts";

/**
 * One record per memory and agent that may see it, in the memory's item collection, so that both are deleted together.
 * It copies the fields that lists filter and sort by; only the memory decides whether the agent may see it.
 */
const VIEWER_KIND = "viewer";
const CONCURRENCY = 8;

const viewerKey = (org: string, id: string, agent: string): RecordKey => ({
  pk: `${org}#${id}`,
  sk: `viewer#${agent}`,
});
/** Partition of the memories that the agent may see, by creation and by update. */
const memoriesSeenBy = (org: string, agent: string): string => `${org}#${agent}#memories`;
/** Partition of the memories shared with the agent, by time of sharing. */
export const memoriesSharedWith = (org: string, agent: string): string => `${org}#${agent}#shares`;

/** Returns the fields of a viewer's record that are updated when the memory changes. */
function mutableFields({ id, user_id, created_at, updated_at, expire_at, revision }: Memory, { until }: Viewer) {
  const [end] = [expire_at, until].filter((time) => time !== undefined).sort();
  const ttl = end === undefined ? undefined : Math.ceil(Date.parse(end) / 1000);
  const sortKeys = { gsi1sk: `${created_at}#${id}`, gsi2sk: `${updated_at}#${id}` };
  return { user_id, created_at, updated_at, ...sortKeys, revision, expire_at: end, ttl };
}

/** Returns the write that lists a memory for a viewer, for the transaction that gives the viewer access. */
export function putViewer(memory: Memory, viewer: Viewer): Write {
  const { id, org, category, type, shares = [] } = memory;
  const { agent, reach } = viewer;
  const shared_at = shares.find(({ agent_id }) => agent_id === agent)?.shared_at;
  const { gsi1sk, gsi2sk, ttl, ...mutable } = mutableFields(memory, viewer);
  const value = { id, org, agent_id: agent, access_type: reach, category, type, ...mutable };
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

/** Returns the write that removes a memory from an agent's lists. */
export function removeViewer({ org, id }: Pick<Memory, "org" | "id">, agent: string): Write {
  return { delete: viewerKey(org, id, agent) };
}

/** Updates the lists of all viewers after a memory changed; outdated and repeated changes have no effect. */
export async function refreshViewers(runtime: Pick<Runtime, "ports" | "clock">, memory: Memory): Promise<void> {
  await inParallel(viewersOf(memory, runtime.clock()), CONCURRENCY, async (viewer) => {
    const { expire_at, ttl, user_id, ...set } = mutableFields(memory, viewer);
    const ending = expire_at !== undefined && ttl !== undefined && { expire_at, ttl };
    await tryWrite(runtime, {
      update: viewerKey(memory.org, memory.id, viewer.agent),
      set: { ...set, ...ending, ...(user_id === undefined ? {} : { user_id }) },
      remove: expire_at === undefined ? ["expire_at", "ttl"] : [],
      condition: { revision: { lessThan: memory.revision } },
    });
  });
}

/** Query for the memories that an agent may see; `where` may test facets, dates and `access_type`. */
export function seenBy(org: string, agent: string, order: "created_at" | "updated_at") {
  return { index: order === "created_at" ? "gsi1" : "gsi2", pk: memoriesSeenBy(org, agent) } as const;
}

/** Query for an agent's active shares by time of sharing; the `id` of its narrow records is the memory's. */
export function sharedWith(org: string, agent: string, now: number, access?: SharedAccess) {
  const where: AttributeTests = { ...unexpired(now), ...(access !== undefined && { access_type: access }) };
  return { index: "gsi3" as const, pk: memoriesSharedWith(org, agent), where };
}

/** Returns the memory id of a narrow record, and the agent's access level. */
export function toVisibleRef({ id, access_type }: StoredRecord): { id: string; reach: AccessLevel } {
  return { id: String(id), reach: access_type as AccessLevel };
}

/** Counts the unexpired memories that an agent stored, up to COUNT_CEILING. */
export function countOwn(records: RecordStore, org: string, agent: string, now: number): Promise<number> {
  const where = { access_type: "own", ...unexpired(now) };
  return records.count({ index: "gsi1", pk: memoriesSeenBy(org, agent), where }, COUNT_CEILING);
}
