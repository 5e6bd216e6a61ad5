import type * as z from "zod";
import { changeMode } from "../../shared/compression/providers.ts";
import { applyConfigUpdate, type CompressionConfig, ENGINE_VERSION } from "../../shared/compression/settings.ts";
import { compressionConfig, compressionMode } from "../../shared/compression/stored-settings.ts";
import { requireOperator } from "../../shared/identity/operator.ts";
import { changedNames } from "../../shared/kernel/changed-names.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { understandingOf } from "../../shared/memory/figures.ts";
import { readSteering } from "../../shared/memory/understand.ts";
import type { Context } from "../../shared/platform/context.ts";
import { DEPLOYMENT, readTotal } from "../../shared/stats/series.ts";
import { performanceIn } from "./performance.ts";
import type * as schemas from "./schemas.ts";

export type Input<Schema extends z.ZodType> = z.output<Schema>;

/** The mode in force, and how fast and how surely texts were ever processed across the deployment. */
export async function readMode(ctx: Context) {
  await ctx.rollups.flush();
  const [{ mode }, counters] = await Promise.all([
    readSteering(ctx),
    readTotal(ctx.ports.records, understandingOf(DEPLOYMENT)),
  ]);
  return { ...mode, performance: performanceIn(counters) };
}

/** Changes the deployment's mode. Throws FORBIDDEN, and VALIDATION_ERROR for a provider out of reach. */
export async function setMode(ctx: Context, update: Input<typeof schemas.SetCompressionMode>) {
  requireOperator(ctx.principal);
  const { previous, value } = await ctx.settings.change(ctx, compressionMode(ctx.config), (current) =>
    changeMode(ctx.ports.models, current, update),
  );
  const changed = changedNames(previous, value);
  return {
    mode: value.mode,
    previous_mode: previous.mode,
    settings_updated: changed.some((name) => name !== "mode"),
    changed,
    effective_at: timestamp(ctx.clock()),
  };
}

export async function readConfiguration(ctx: Context) {
  return present(await ctx.settings.read(compressionConfig));
}

/** Changes any part of the deployment's configuration. Throws FORBIDDEN. */
export async function setConfiguration(ctx: Context, update: Input<typeof schemas.SetCompressionConfiguration>) {
  requireOperator(ctx.principal);
  const { previous, value } = await ctx.settings.change(ctx, compressionConfig, (current) =>
    applyConfigUpdate(current, update),
  );
  return { ...present(value), changed: changedNames(previous, value), effective_at: timestamp(ctx.clock()) };
}

function present(config: CompressionConfig) {
  return { engine_version: ENGINE_VERSION, ...config };
}
