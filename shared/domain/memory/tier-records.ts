import { inBatches } from "../../kernel/parallel.ts";
import { fromItem, getObject, toItem } from "../../ports/item.ts";
import { queryPages } from "../../ports/pages.ts";
import type { RecordKey, RecordStore, StoredRecord, Write } from "../../ports/record-store.ts";
import type { Tier, TierPolicy, TierUsage, Usage } from "../compression/tiers.ts";
import type { StoredContent } from "./content.ts";
import { memoriesOf, memoryKey } from "./memory-keys.ts";
import type { StoredMemory } from "./records.ts";
import { versionKey } from "./version-records.ts";

/** How often the sweep runs that moves memories between tiers. */
export const SWEEP_EVERY_MINUTES = 5;

const PAGE_SIZE = 1000;

/** A memory's tier with the data that tiering uses, except its access counts. */
export interface Placement {
  id: string;
  tier: Tier;
  tokens: number;
  updated_at: string;
}

/** A page of placements, the memories that changed last first. The narrow index has these fields as facets. */
export async function readPlacementPage(records: RecordStore, org: string, after: string | undefined) {
  const query = { index: "gsi3", pk: memoriesOf(org), descending: true, limit: PAGE_SIZE, after } as const;
  const { items, cursor } = await records.query(query);
  return { placements: items.map(toPlacement), cursor };
}

/** Returns the placements of memories by their ids, without those that were deleted. */
export async function findPlacements(records: RecordStore, org: string, ids: string[]): Promise<Placement[]> {
  const placements: Placement[] = [];
  for (const batch of inBatches(ids, PAGE_SIZE)) {
    const found = await records.getMany(batch.map((id) => memoryKey(org, id)));
    placements.push(...found.map(toPlacement));
  }
  return placements;
}

function toPlacement(record: StoredRecord): Placement {
  const { id, tier, tokens, updated_at } = fromItem<Placement>(record);
  return { id, tier, tokens, updated_at };
}

/** Returns the placements of all memories of a small organization. */
export async function listPlacements(records: RecordStore, org: string): Promise<Placement[]> {
  const placements: Placement[] = [];
  for await (const items of queryPages(records, { index: "gsi3", pk: memoriesOf(org), limit: PAGE_SIZE })) {
    placements.push(...items.map(toPlacement));
  }
  return placements;
}

/** Returns a memory's record without fetching its content from the blob store. */
export function findStoredMemory(records: RecordStore, org: string, id: string) {
  return getObject<StoredMemory>(records, memoryKey(org, id));
}

/** Returns the write that moves a memory to a tier, and its content if `moved`; it fails if the memory has changed. */
export function changeTier(memory: StoredMemory, to: Tier, moved?: StoredContent): Write {
  const { org, id, revision, tier } = memory;
  const removed = moved && ("content" in moved ? "content_blob" : "content");
  const remove = removed === undefined ? [] : [removed];
  return { update: memoryKey(org, id), set: { tier: to, ...moved }, remove, condition: { revision, tier } };
}

/** Returns the write that replaces a version's content with the key of its blob. */
export function moveVersion(org: string, id: string, version: number, content_blob: string): Write {
  const update = versionKey(org, id, version);
  return { update, set: { content_blob }, remove: ["content"], condition: "present" };
}

/** Returns the newest versions of a memory whose content is still in the record. */
export async function readInlineVersions(records: RecordStore, org: string, id: string, limit: number) {
  const { items } = await records.query({
    pk: memoryKey(org, id).pk,
    sk: { beginsWith: "version#" },
    where: { content: { absent: false } },
    descending: true,
    limit,
  });
  return items.map(fromItem<{ version: number; content: string }>);
}

/** The result of the last sweep of an organization. */
export interface SweepState {
  org: string;
  swept_at: string;
  usage: TierUsage;
  /** Planned moves that were not made yet. */
  pending: number;
  /** Memories archived for longer than the archive's retention. */
  past_retention: number;
  /** The policy that the plan follows. */
  policy: TierPolicy;
  /** The position of a walk that continues with the next run. */
  walk?: TierWalk | undefined;
  /** The archived memories that the next walks need not read. */
  tail?: ArchivedTail | undefined;
}

/** A walk through an organization's memories, the most recently used first, in pages. */
export interface TierWalk {
  started_at: string;
  /** The cursor of the next page; undefined before the first. */
  after?: string | undefined;
  /** Memories used at this time or later were planned. */
  reached?: string | undefined;
  /** Of what was read, after the moves that were made. */
  usage: TierUsage;
  pending: number;
  past_retention: number;
  tail: ArchivedTail;
}

/** The memories that changed before a time and were all archived when a walk counted them. */
export interface ArchivedTail extends Usage {
  /** ISO 8601, exclusive. */
  before: string;
  counted_at: string;
  past_retention: number;
}

const sweepKey = (org: string): RecordKey => ({ pk: `${org}#tiers`, sk: "sweep" });

export function putSweepState(state: SweepState): Write {
  return { put: toItem(sweepKey(state.org), "sweep", state) };
}

/** The last run of the sweep over all organizations. */
export interface SweepRun {
  started_at: string;
  duration_ms: number;
  /** The number of memories in the largest organization. */
  largest: number;
}

const RUN_KEY: RecordKey = { pk: "tiers", sk: "sweep" };

export function putSweepRun(run: SweepRun): Write {
  return { put: toItem(RUN_KEY, "sweep_run", run) };
}

/** Returns undefined if the sweep has never run. */
export function findSweepRun(records: RecordStore): Promise<SweepRun | undefined> {
  return getObject<SweepRun>(records, RUN_KEY);
}

/** Returns the states by organization, without organizations that were never swept. */
export async function readSweepStates(records: RecordStore, orgs: string[]): Promise<Map<string, SweepState>> {
  const found = await records.getMany(orgs.map(sweepKey));
  return new Map(found.map(fromItem<SweepState>).map((state) => [state.org, state]));
}
