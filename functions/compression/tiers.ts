import { tierPolicy } from "../../shared/domain/compression/stored-settings.ts";
import { emptyUsage, resolveTierPolicy } from "../../shared/domain/compression/tiers.ts";
import { readSweepStates, type SweepState } from "../../shared/domain/memory/tier-records.ts";
import { readMigrations } from "../../shared/domain/memory/tier-statistics.ts";
import {
  type CountedUsage,
  estimateCompletion,
  readTierUsage,
  readDeploymentUsage as sumUsage,
} from "../../shared/domain/memory/tiering.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { changedNames } from "../../shared/kernel/objects.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { requireOperator } from "../../shared/runtime/access/operator.ts";
import type { Context } from "../../shared/runtime/context.ts";
import type * as schemas from "./schemas.ts";

/** The deployment's policy with the caller's organization's tiers. */
export async function readTierPolicy(ctx: Context) {
  await ctx.rollups.flush();
  const state = await findState(ctx);
  const [policy, counted, { total, ...migrations }] = await Promise.all([
    ctx.settings.read(tierPolicy),
    readTierUsage(ctx, ctx.org, state),
    readMigrations(ctx.ports.records, ctx.org),
  ]);
  return {
    ...policy,
    current_usage: byName(counted),
    migration_stats: {
      total_migrations: total,
      ...migrations,
      pending: state?.pending ?? 0,
      past_retention: state?.past_retention ?? 0,
      last_sweep_at: state?.swept_at ?? null,
    },
  };
}

/** Sets the deployment's policy; the next sweep starts to move memories accordingly. Throws FORBIDDEN. */
export async function setTierPolicy(ctx: Context, update: Input<typeof schemas.SetTierPolicy>) {
  requireOperator(ctx.principal);
  const { previous, value } = await ctx.settings.change(ctx, tierPolicy, () => resolveTierPolicy(update));
  const changed = changedNames(previous, value);
  const isChanged = changed.length > 0;
  return {
    policy: value.policy,
    previous_policy: previous.policy,
    settings_updated: changed.some((name) => name !== "policy"),
    changed,
    migration_initiated: isChanged,
    estimated_completion_time: isChanged ? timestamp(await estimateCompletion(ctx)) : null,
  };
}

async function findState({ ports, org }: Context): Promise<SweepState | undefined> {
  return (await readSweepStates(ports.records, [org])).get(org);
}

/** The tier usage of the caller's organization. */
export async function readOwnUsage(ctx: Context) {
  return byName(await readTierUsage(ctx, ctx.org, await findState(ctx)));
}

/** The summed tier usage of all swept organizations. */
export async function readDeploymentUsage(ctx: Context) {
  return byName((await sumUsage(ctx)) ?? { usage: emptyUsage(), counted_at: null });
}

function byName({ usage, counted_at }: CountedUsage | { usage: CountedUsage["usage"]; counted_at: null }) {
  const { working, hot, cold, archive } = usage;
  return { working_tier: working, hot_tier: hot, cold_tier: cold, archive_tier: archive, counted_at };
}
