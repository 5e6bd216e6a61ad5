import type { Config } from "../../kernel/config.ts";
import type { Setting } from "../../runtime/settings.ts";
import { defaultModel } from "../models/configured.ts";
import { CompressionConfig, DEFAULT_CONFIG, DEFAULT_MODE, ModeRecord } from "./settings.ts";
import { DEFAULT_TIER_POLICY, TierPolicy } from "./tiers.ts";

/** PUT /compression/mode. By default both providers are the model named by the environment. */
export function compressionMode(config: Config): Setting<ModeRecord> {
  // Only the operator knows what a model costs, so it starts at 0.
  const provider = { ...defaultModel(config), cost_per_1k: 0 };
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
