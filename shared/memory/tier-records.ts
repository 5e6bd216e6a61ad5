import type { Tier, TierPolicy, TierUsage } from "../compression/tiers.ts";
import { fromItem, toItem } from "../platform/item.ts";
import type { RecordKey, RecordQuery, RecordStore, Write } from "../platform/ports.ts";
import type { StoredContent } from "./content.ts";
import { memoriesOf, memoryKey, type StoredMemory, versionKey } from "./records.ts";

/** How often the sweep runs that moves memories between tiers. */
export const SWEEP_EVERY_MINUTES = 5;

const PAGE = 1000;

/** Where a memory is, and what tiering goes by besides who read it. */
export interface Placement {
  id: string;
  tier: Tier;
  tokens: number;
  /** ISO */
  updated_at: string;
}

/** Where all memories of an organization are, from the narrow index, whose facets these are. */
export async function* readPlacements(records: RecordStore, org: string): AsyncGenerator<Placement> {
  const query: RecordQuery = { index: "gsi3", pk: memoriesOf(org), limit: PAGE };
  do {
    const { items, cursor } = await records.query(query);
    yield* items.map(fromItem<Placement>);
    query.after = cursor;
  } while (query.after !== undefined);
}

/** A memory's record as it is, without fetching its content. */
export async function findStoredMemory(
  records: RecordStore,
  org: string,
  id: string,
): Promise<StoredMemory | undefined> {
  const record = await records.get(memoryKey(org, id));
  return record && fromItem<StoredMemory>(record);
}

/** Moves a memory, with its content where that changes place too; refused when anything of it changed since it was read. */
export function changeTier(memory: StoredMemory, to: Tier, moved?: StoredContent): Write {
  const { org, id, revision, tier } = memory;
  const left = moved && ("content" in moved ? "content_blob" : "content");
  const remove = left === undefined ? [] : [left];
  return { update: memoryKey(org, id), set: { tier: to, ...moved }, remove, condition: { revision, tier } };
}

/** Lets a version name the blob that its content was put into. */
export function moveVersion(org: string, id: string, version: number, content_blob: string): Write {
  const update = versionKey(org, id, version);
  return { update, set: { content_blob }, remove: ["content"], condition: "present" };
}

/** The newest versions of a memory that still have their content in their record. */
export async function readInlineVersions(
  records: RecordStore,
  org: string,
  id: string,
  limit: number,
): Promise<{ version: number; content: string }[]> {
  const { items } = await records.query({
    pk: memoryKey(org, id).pk,
    sk: { beginsWith: "version#" },
    where: { content: { absent: false } },
    descending: true,
    limit,
  });
  return items.map(fromItem<{ version: number; content: string }>);
}

/** What the last sweep of an organization left behind. */
export interface SweepState {
  org: string;
  /** ISO */
  swept_at: string;
  usage: TierUsage;
  /** Moves that were planned and not made yet. */
  pending: number;
  /** Memories archived for longer than the archive's retention. */
  past_retention: number;
  /** What the plan was made by. */
  policy: TierPolicy;
}

const sweepKey = (org: string): RecordKey => ({ pk: `${org}#tiers`, sk: "sweep" });

export function putSweepState(state: SweepState): Write {
  return { put: toItem(sweepKey(state.org), "sweep", state) };
}

/** What the last run of the sweep was like, over all organizations. */
export interface SweepRun {
  /** ISO */
  started_at: string;
  duration_ms: number;
  /** Memories of the organization that has most. */
  largest: number;
}

const RUN_KEY: RecordKey = { pk: "tiers", sk: "sweep" };

export function putSweepRun(run: SweepRun): Write {
  return { put: toItem(RUN_KEY, "sweep_run", run) };
}

/** Undefined until the sweep has run once. */
export async function findSweepRun(records: RecordStore): Promise<SweepRun | undefined> {
  const record = await records.get(RUN_KEY);
  return record && fromItem<SweepRun>(record);
}

/** By organization; those never swept are left out. */
export async function readSweepStates(records: RecordStore, orgs: string[]): Promise<Map<string, SweepState>> {
  const found = await records.getMany(orgs.map(sweepKey));
  return new Map(found.map(fromItem<SweepState>).map((state) => [state.org, state]));
}
