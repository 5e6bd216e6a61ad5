import { isDeepStrictEqual } from "node:util";
import { timestamp } from "../../kernel/clock.ts";
import { DAY_MS } from "../../kernel/durations.ts";
import type { RecordStore } from "../../ports/record-store.ts";
import type { Runtime } from "../../runtime/context.ts";
import {
  addUsage,
  emptyUsage,
  longestAccessThreshold,
  type MemoryFacts,
  type Migration,
  planSweep,
  type TierPolicy,
} from "../compression/tiers.ts";
import { type Access, readAccesses } from "./access.ts";
import { makeMoves, type PlannedMove } from "./tier-moves.ts";
import {
  type ArchivedTail,
  findPlacements,
  type Placement,
  putSweepState,
  readPlacementPage,
  type SweepState,
  type TierWalk,
} from "./tier-records.ts";
import { countMigrations } from "./tier-statistics.ts";

/** Memories whose latest read a walk takes into account; it keeps them in memory. */
const MAX_ACCESSES = 100_000;
/** A smaller archive is read by every walk, which costs little and counts exactly. */
const MIN_TAIL = 5_000;
/** How often the whole archive is read. */
const FULL_WALK_MS = DAY_MS;
/** Sort before and behind every time. */
const BEGINNING = "";
const END = "~";

type WalkRuntime = Pick<Runtime, "ports" | "clock" | "logger" | "rollups">;

interface Sweep {
  policy: TierPolicy;
  /** The state that the previous sweep left. */
  last: SweepState | undefined;
  /** Epoch milliseconds after which no further page is read. */
  until: number;
}

/**
 * Walks through an organization's memories in pages, the most recently used first, and moves them to their tiers. A
 * walk that takes longer than `until` continues at its cursor with the next sweep. Memories behind the last one that is
 * not archived are left out: a read or a change moves them forward, and a walk a day reads all.
 */
export async function sweepOrganization(runtime: WalkRuntime, org: string, { policy, last, until }: Sweep) {
  const now = runtime.clock();
  const previous = last && isDeepStrictEqual(last.policy, policy) ? last : undefined;
  const tail = previous?.tail && isUsable(previous.tail, now) ? previous.tail : undefined;
  let walk = previous?.walk ?? startWalk(now);
  const reads = await readRecent(runtime.ports.records, org, walk, policy);
  let moved = 0;
  let isDone: boolean;
  do {
    const part = await readPart(runtime.ports.records, org, walk, reads, tail);
    const plan = planSweep(factsOf(part, reads, walk), policy, walk.usage);
    const made = await makeMoves(runtime, org, plan.migrations.map(withTime(part)), policy);
    countMigrations(runtime, org, made);
    moved += made.length;
    walk = advance(walk, part, plan, made);
    isDone = part.after === undefined;
  } while (!isDone && runtime.clock() < until);
  const result = isDone ? finish(walk, tail) : pause(walk, previous);
  const state: SweepState = { org, swept_at: timestamp(now), policy, ...result };
  await runtime.ports.records.write(putSweepState(state));
  return { state, moved };
}

function startWalk(now: number): TierWalk {
  const started_at = timestamp(now);
  return { started_at, usage: emptyUsage(), pending: 0, past_retention: 0, tail: emptyTail(END, started_at) };
}

/** The state after a walk that read everything but the archived memories behind `skipped`. */
function finish({ usage, pending, past_retention, tail }: TierWalk, skipped: ArchivedTail | undefined) {
  if (skipped === undefined) return { usage, pending, past_retention, tail };
  return {
    usage: addUsage(usage, [{ ...skipped, tier: "archive" }]),
    pending,
    past_retention: past_retention + skipped.past_retention,
    tail: skipped,
  };
}

/** The state within a walk: usage is that of the last one that ended. */
function pause(walk: TierWalk, previous: SweepState | undefined) {
  const { pending, past_retention } = walk;
  return { usage: previous?.usage ?? walk.usage, pending, past_retention, walk, tail: previous?.tail };
}

function isUsable({ counted_at, memories }: ArchivedTail, now: number): boolean {
  return memories >= MIN_TAIL && now - Date.parse(counted_at) < FULL_WALK_MS;
}

interface Reads {
  byMemory: Map<string, Access>;
  /** Those that the walk has not reached, the latest first. */
  ahead: Access[];
}

/** The reads that keep a memory in a tier regardless of its age; older ones decide nothing. */
async function readRecent(records: RecordStore, org: string, walk: TierWalk, policy: TierPolicy): Promise<Reads> {
  const since = Date.parse(walk.started_at) - longestAccessThreshold(policy);
  const accesses = await readAccesses(records, org, timestamp(Math.max(0, since)), MAX_ACCESSES);
  const ahead = accesses.filter(({ at }) => at <= walk.started_at && at < (walk.reached ?? END));
  return { byMemory: new Map(accesses.map((access) => [access.id, access])), ahead };
}

/** The memories that were used between two times. */
interface Part {
  /** By their last change, the latest first; `read` are behind them, by their last read. */
  changed: Placement[];
  read: Placement[];
  /** The cursor of the next part; undefined after the last one. */
  after: string | undefined;
  /** Everything that was used at this time or later has been read. */
  reached: string;
}

async function readPart(
  records: RecordStore,
  org: string,
  walk: TierWalk,
  { byMemory, ahead }: Reads,
  tail: ArchivedTail | undefined,
): Promise<Part> {
  const page = await readPlacementPage(records, org, walk.after);
  const oldest = page.placements.at(-1)?.updated_at ?? walk.reached ?? END;
  const after = tail !== undefined && oldest < tail.before ? undefined : page.cursor;
  const reached = after === undefined ? BEGINNING : oldest;
  const isBetweenReads = ({ id, updated_at }: Placement) => {
    const at = byMemory.get(id)?.at;
    return at === undefined || at <= updated_at || at > walk.started_at;
  };
  const changed = page.placements.filter((each) => !(tail && each.updated_at < tail.before) && isBetweenReads(each));
  const next = ahead.findIndex(({ at }) => at < reached);
  const taken = ahead.splice(0, next === -1 ? ahead.length : next);
  const found = await findPlacements(
    records,
    org,
    taken.map(({ id }) => id),
  );
  const read = found.filter(({ id, updated_at }) => updated_at < (byMemory.get(id)?.at ?? BEGINNING));
  return { changed, read, after, reached };
}

/** Returns what the plan needs to know about memories. Their age starts at their last change. */
function factsOf({ changed, read }: Part, { byMemory }: Reads, { started_at }: TierWalk): MemoryFacts[] {
  const now = Date.parse(started_at);
  return [...changed, ...read].map(({ id, tier, tokens, updated_at }) => {
    const access = byMemory.get(id);
    const idle_ms = access && Math.max(0, now - Date.parse(access.at));
    return { id, tier, tokens, age_ms: now - Date.parse(updated_at), idle_ms, access_count: access?.count ?? 0 };
  });
}

function withTime({ changed, read }: Part) {
  const times = new Map([...changed, ...read].map(({ id, updated_at }) => [id, updated_at]));
  return (move: Migration): PlannedMove => ({ ...move, updated_at: times.get(move.id) ?? BEGINNING });
}

/** Returns the walk behind a part: usage and tail follow from the moves that were made. */
function advance(walk: TierWalk, part: Part, plan: ReturnType<typeof planSweep>, made: PlannedMove[]): TierWalk {
  const tiers = new Map(made.map(({ id, to }) => [id, to]));
  const moved = (placement: Placement) => ({ ...placement, tier: tiers.get(placement.id) ?? placement.tier });
  const changed = part.changed.map(moved);
  return {
    ...walk,
    after: part.after,
    reached: part.reached,
    usage: addUsage(walk.usage, [...changed, ...part.read.map(moved)]),
    pending: walk.pending + plan.migrations.length - made.length,
    past_retention: walk.past_retention + plan.past_retention.length,
    tail: extendTail(walk.tail, changed, new Set(plan.past_retention)),
  };
}

const emptyTail = (before: string, counted_at: string): ArchivedTail => ({
  before,
  counted_at,
  memories: 0,
  tokens: 0,
  past_retention: 0,
});

/** Adds older memories to the tail, which begins anew behind each one that is not archived. */
function extendTail(tail: ArchivedTail, older: Placement[], pastRetention: Set<string>): ArchivedTail {
  let extended = { ...tail };
  for (const { id, tier, tokens, updated_at } of older) {
    if (tier !== "archive") extended = emptyTail(updated_at, tail.counted_at);
    else if (updated_at < extended.before) {
      extended.memories += 1;
      extended.tokens += tokens;
      if (pastRetention.has(id)) extended.past_retention += 1;
    }
  }
  return extended;
}
