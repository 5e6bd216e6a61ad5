import { changeMode } from "../../shared/domain/compression/providers.ts";
import { type CompressionConfig, ENGINE_VERSION } from "../../shared/domain/compression/settings.ts";
import { compressionConfig, compressionMode } from "../../shared/domain/compression/stored-settings.ts";
import { understandingOf } from "../../shared/domain/memory/metrics.ts";
import { loadProcessingSettings } from "../../shared/domain/memory/understand.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { changedNames, mergePatch } from "../../shared/kernel/objects.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { requireOperator } from "../../shared/runtime/access/operator.ts";
import type { Context } from "../../shared/runtime/context.ts";
import { DEPLOYMENT, readTotal } from "../../shared/runtime/stats/series.ts";
import type * as schemas from "./schemas.ts";
import { performanceIn } from "./statistics.ts";

/** The current mode with the speed and success rate of all processing in the deployment. */
export async function readMode(ctx: Context) {
  await ctx.rollups.flush();
  const [{ mode }, counters] = await Promise.all([
    loadProcessingSettings(ctx),
    readTotal(ctx.ports.records, understandingOf(DEPLOYMENT)),
  ]);
  return { ...mode, performance: performanceIn(counters) };
}

/** Changes the deployment's mode. Throws FORBIDDEN, and VALIDATION_ERROR for an unavailable provider. */
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

/** Updates the deployment's configuration. Throws FORBIDDEN. */
export async function setConfiguration(ctx: Context, update: Input<typeof schemas.SetCompressionConfiguration>) {
  requireOperator(ctx.principal);
  const { previous, value } = await ctx.settings.change(ctx, compressionConfig, (current) =>
    mergePatch(current, update),
  );
  return { ...present(value), changed: changedNames(previous, value), effective_at: timestamp(ctx.clock()) };
}

function present(config: CompressionConfig) {
  return { engine_version: ENGINE_VERSION, ...config };
}
