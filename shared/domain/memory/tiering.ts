import { isDeepStrictEqual } from "node:util";
import { timestamp } from "../../kernel/clock.ts";
import { ConditionFailedError } from "../../ports/errors.ts";
import type { RecordStore } from "../../ports/ports.ts";
import type { Runtime } from "../../runtime/context.ts";
import { tierPolicy } from "../compression/stored-settings.ts";
import {
  emptyUsage,
  type MemoryFacts,
  type Migration,
  planSweep,
  TIERS,
  type TierPolicy,
  type TierUsage,
} from "../compression/tiers.ts";
import { listOrganizations } from "../identity/records.ts";
import { type Access, readAccesses } from "./access.ts";
import { archiveContent, contentKey, loadContent, storeContent } from "./content.ts";
import { memoriesOf } from "./memory-keys.ts";
import type { StoredMemory } from "./records.ts";
import {
  changeTier,
  findStoredMemory,
  findSweepRun,
  listPlacements,
  moveVersion,
  type Placement,
  putSweepRun,
  putSweepState,
  readInlineVersions,
  readSweepStates,
  SWEEP_EVERY_MINUTES,
  type SweepState,
} from "./tier-records.ts";
import { countMigrations } from "./tier-statistics.ts";

/** How often an organization without pending moves is swept. */
const RESWEEP_MS = 3_600_000;
/** A run starts no further organization after this time, so that the last one can finish. */
const MAX_RUN_MS = 120_000;
/** Maximum moves per organization and run; the next run continues. */
const MAX_MIGRATIONS = 2_000;
const CONCURRENCY = 16;
/** Maximum versions archived with their memory, so that the transaction stays below 4 MB. */
const MAX_VERSIONS = 40;

type SweepRuntime = Pick<Runtime, "ports" | "clock" | "logger" | "settings" | "rollups">;

/**
 * Moves memories to the tiers of the policy in every organization that is due, the longest waiting first. Moves depend
 * only on the stored state, so a run that ends early, runs twice or runs concurrently does no harm.
 */
export async function sweepTiers(runtime: SweepRuntime) {
  const { records } = runtime.ports;
  const startedAt = runtime.clock();
  const policy = await runtime.settings.read(tierPolicy);
  const states = await readAllStates(records);
  const due = [...states]
    .filter(([, state]) => isDue(state, policy, startedAt))
    .sort(([, one], [, other]) => ((one?.swept_at ?? "") < (other?.swept_at ?? "") ? -1 : 1));
  const outcome = { organizations: 0, migrations: 0 };
  for (const [org] of due) {
    if (runtime.clock() - startedAt >= MAX_RUN_MS) break;
    try {
      const { state, moved } = await sweepOrganization(runtime, org, policy);
      states.set(org, state);
      outcome.migrations += moved;
      outcome.organizations++;
    } catch (error) {
      runtime.logger.error("TIER_SWEEP_FAILED", { org, error });
    }
  }
  const largest = [...states.values()].reduce((max, state) => Math.max(max, state ? memoriesIn(state.usage) : 0), 0);
  const duration_ms = runtime.clock() - startedAt;
  await records.write(putSweepRun({ started_at: timestamp(startedAt), duration_ms, largest }));
  return outcome;
}

/** Returns the sweep state of every organization; undefined if it was never swept. */
async function readAllStates(records: RecordStore): Promise<Map<string, SweepState | undefined>> {
  const orgs: string[] = [];
  for await (const { id } of listOrganizations(records)) orgs.push(id);
  const states = await readSweepStates(records, orgs);
  return new Map(orgs.map((org) => [org, states.get(org)]));
}

/** Estimates when a policy that is set now is applied everywhere at the latest, at the pace of the last run. */
export async function estimateCompletion({ ports, clock }: Pick<Runtime, "ports" | "clock">): Promise<number> {
  const intervalMs = SWEEP_EVERY_MINUTES * 60_000;
  const run = await findSweepRun(ports.records);
  if (run === undefined) return clock() + intervalMs;
  const next = Math.max(clock(), Date.parse(run.started_at) + intervalMs);
  const runs = Math.max(1, Math.ceil(run.largest / MAX_MIGRATIONS));
  return next + (runs - 1) * intervalMs + run.duration_ms;
}

function isDue(state: SweepState | undefined, policy: TierPolicy, now: number): boolean {
  if (state === undefined || state.pending > 0) return true;
  return now - Date.parse(state.swept_at) >= RESWEEP_MS || !isDeepStrictEqual(state.policy, policy);
}

async function sweepOrganization(runtime: SweepRuntime, org: string, policy: TierPolicy) {
  const { records } = runtime.ports;
  const now = runtime.clock();
  const [placements, accesses] = await Promise.all([listPlacements(records, org), readAccesses(records, org)]);
  const updatedAt = new Map(placements.map(({ id, updated_at }) => [id, updated_at]));
  const facts = placements.map((placement) => factsOf(placement, accesses.get(placement.id), now));
  const plan = planSweep(facts, policy);
  const moved: Migration[] = [];
  for (let start = 0; start < Math.min(plan.migrations.length, MAX_MIGRATIONS); start += CONCURRENCY) {
    const batch = plan.migrations.slice(start, start + CONCURRENCY);
    const outcomes = await Promise.all(batch.map((migration) => migrate(runtime, org, migration, updatedAt, policy)));
    moved.push(...batch.filter((_, index) => outcomes[index]));
  }
  countMigrations(runtime, org, moved);
  const tiers = new Map(moved.map(({ id, to }) => [id, to]));
  const usage = usageOf(placements.map(({ id, tier, tokens }) => ({ tier: tiers.get(id) ?? tier, tokens })));
  const pending = plan.migrations.length - moved.length;
  const past_retention = plan.past_retention.length;
  const state = { org, swept_at: timestamp(now), usage, pending, past_retention, policy };
  await records.write(putSweepState(state));
  return { state, moved: moved.length };
}

/** Returns what the plan needs to know about a memory. Its age starts at its last change. */
function factsOf({ id, tier, tokens, updated_at }: Placement, access: Access | undefined, now: number): MemoryFacts {
  return {
    id,
    tier,
    tokens,
    age_ms: now - Date.parse(updated_at),
    idle_ms: access && now - Date.parse(access.last_accessed_at),
    access_count: access?.access_count ?? 0,
  };
}

/** Sums tokens and memories by tier; a part without a number of memories is one memory. */
function usageOf(parts: (Pick<Placement, "tier" | "tokens"> & { memories?: number })[]): TierUsage {
  const usage = emptyUsage();
  for (const { tier, tokens, memories = 1 } of parts) {
    usage[tier] = { memories: usage[tier].memories + memories, tokens: usage[tier].tokens + tokens };
  }
  return usage;
}

function memoriesIn(usage: TierUsage): number {
  return Object.values(usage).reduce((sum, { memories }) => sum + memories, 0);
}

/** Makes one planned move. Returns false if the memory changed meanwhile or could not be moved. */
async function migrate(
  runtime: SweepRuntime,
  org: string,
  { id, from, to }: Migration,
  updatedAt: Map<string, string>,
  policy: TierPolicy,
): Promise<boolean> {
  try {
    const memory = await findStoredMemory(runtime.ports.records, org, id);
    if (memory?.tier !== from || memory.updated_at !== updatedAt.get(id)) return false;
    if (to === "archive") await archive(runtime, memory, policy.settings.archive_tier.compression_enabled);
    else if (from === "archive")
      await runtime.ports.records.write(changeTier(memory, to, await recall(runtime, memory)));
    else await runtime.ports.records.write(changeTier(memory, to));
    return true;
  } catch (error) {
    if (!(error instanceof ConditionFailedError))
      runtime.logger.error("TIER_MOVE_FAILED", { org, memory: id, from, to, error });
    return false;
  }
}

/** Moves contents to blobs, which are written first: another attempt rewrites those that a crash left. */
async function archive(runtime: SweepRuntime, memory: StoredMemory, isCompressed: boolean): Promise<void> {
  const { org, id, version } = memory;
  const content = await loadContent(runtime, memory);
  const older = await readInlineVersions(runtime.ports.records, org, id, MAX_VERSIONS);
  const contents = new Map([...older.map((each) => [each.version, each.content] as const), [version, content]]);
  const keyOf = (text: string) => contentKey(memory, text);
  await Promise.all([...contents.values()].map((text) => archiveContent(runtime, keyOf(text), text, isCompressed)));
  await runtime.ports.records.write(
    changeTier(memory, "archive", { content_blob: keyOf(content) }),
    ...[...contents].map(([number, text]) => moveVersion(org, id, number, keyOf(text))),
  );
}

/** Returns archived content for the record, inline if short, otherwise as a blob. Versions stay in the archive. */
async function recall(runtime: SweepRuntime, memory: StoredMemory) {
  const content = await loadContent(runtime, memory);
  return storeContent(runtime, contentKey(memory, content), content);
}

/** With more memories, a request would read them all, so the count of the last sweep is returned. */
const MAX_COUNTED = 1_000;

export interface CountedUsage {
  usage: TierUsage;
  counted_at: string;
}

/** Returns the sum of all organizations' usage at their last sweeps; undefined if none was swept. */
export async function readDeploymentUsage({ ports }: Pick<Runtime, "ports">): Promise<CountedUsage | undefined> {
  const states = [...(await readAllStates(ports.records)).values()].filter((state) => state !== undefined);
  const counted_at = states.map(({ swept_at }) => swept_at).sort()[0];
  if (counted_at === undefined) return undefined;
  const parts = states.flatMap((state) => TIERS.map((tier) => ({ tier, ...state.usage[tier] })));
  return { usage: usageOf(parts), counted_at };
}

/** Returns the usage of an organization's tiers: counted now, or at the last sweep if it is large. */
export async function readTierUsage(
  { ports, clock }: Pick<Runtime, "ports" | "clock">,
  org: string,
  lastSweep: SweepState | undefined,
): Promise<CountedUsage> {
  if (lastSweep) {
    const memories = await ports.records.count({ index: "gsi3", pk: memoriesOf(org) }, MAX_COUNTED + 1);
    if (memories > MAX_COUNTED) return { usage: lastSweep.usage, counted_at: lastSweep.swept_at };
  }
  return { usage: usageOf(await listPlacements(ports.records, org)), counted_at: timestamp(clock()) };
}
