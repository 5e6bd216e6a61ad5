import { isDeepStrictEqual } from "node:util";
import { timestamp } from "../../kernel/clock.ts";
import type { RecordStore } from "../../ports/record-store.ts";
import type { Runtime } from "../../runtime/context.ts";
import { tierPolicy } from "../compression/stored-settings.ts";
import { addUsage, emptyUsage, TIERS, type TierPolicy, type TierUsage } from "../compression/tiers.ts";
import { listOrganizations } from "../identity/records.ts";
import { memoriesOf } from "./memory-keys.ts";
import {
  findSweepRun,
  listPlacements,
  putSweepRun,
  readSweepStates,
  SWEEP_EVERY_MINUTES,
  type SweepState,
} from "./tier-records.ts";
import { sweepOrganization } from "./tier-walk.ts";

/** How often an organization without pending moves is swept. */
const RESWEEP_MS = 3_600_000;
/** A run reads no further page of memories after this time; the next run continues. */
const MAX_RUN_MS = 120_000;
/** Moves that a run surely makes: 150 a second. */
const MOVES_PER_RUN = 18_000;

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
      const { state, moved } = await sweepOrganization(runtime, org, {
        policy,
        last: states.get(org),
        until: startedAt + MAX_RUN_MS,
      });
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
  const runs = Math.max(1, Math.ceil(run.largest / MOVES_PER_RUN));
  return next + (runs - 1) * intervalMs + run.duration_ms;
}

function isDue(state: SweepState | undefined, policy: TierPolicy, now: number): boolean {
  if (state === undefined || state.walk || state.pending > 0) return true;
  return now - Date.parse(state.swept_at) >= RESWEEP_MS || !isDeepStrictEqual(state.policy, policy);
}

function memoriesIn(usage: TierUsage): number {
  return Object.values(usage).reduce((sum, { memories }) => sum + memories, 0);
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
  return { usage: addUsage(emptyUsage(), parts), counted_at };
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
  return { usage: addUsage(emptyUsage(), await listPlacements(ports.records, org)), counted_at: timestamp(clock()) };
}
