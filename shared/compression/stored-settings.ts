import type { Config } from "../kernel/config.ts";
import { usualModel } from "../models/configured.ts";
import type { Setting } from "../platform/settings.ts";
import { CompressionConfig, DEFAULT_CONFIG, DEFAULT_MODE, ModeRecord } from "./settings.ts";
import { DEFAULT_TIER_POLICY, TierPolicy } from "./tiers.ts";

/** PUT /compression/mode. Until it is set, both providers are the model that the environment names. */
export function compressionMode(config: Config): Setting<ModeRecord> {
  // What a model costs is the operator's to say: only the built-in rules are known to be free.
  const provider = { ...usualModel(config), cost_per_1k: 0 };
  return {
    name: "compression_mode",
    schema: ModeRecord,
    initial: { ...DEFAULT_MODE, providers: { fast: provider, verify: provider } },
  };
}

/** PUT /compression/config. */
export const compressionConfig: Setting<CompressionConfig> = {
  name: "compression_config",
  schema: CompressionConfig,
  initial: DEFAULT_CONFIG,
};

/** PUT /tier/policy. */
export const tierPolicy: Setting<TierPolicy> = {
  name: "tier_policy",
  schema: TierPolicy,
  initial: DEFAULT_TIER_POLICY,
};
