import { describe, expect, it } from "vitest";
import { mergePatch } from "../../kernel/objects.ts";
import {
  CompressionConfig,
  CompressionConfigUpdate,
  CompressionModeName,
  DEFAULT_CONFIG,
  DEFAULT_MODE,
  ModeRecord,
  ModeUpdate,
} from "./settings.ts";

describe("mode", () => {
  it("has defaults in its own shape", () => {
    expect(ModeRecord.parse(DEFAULT_MODE)).toEqual(DEFAULT_MODE);
  });

  it("accepts conservative as a synonym of extract", () => {
    expect(CompressionModeName.parse("conservative")).toBe("extract");
    expect(CompressionModeName.safeParse("turbo").success).toBe(false);
  });

  it("changes what an update names and keeps the rest", () => {
    const update = ModeUpdate.parse({
      mode: "aggressive",
      settings: { max_iterations: 1 },
      providers: { verify: { provider: "openai", model: "gpt-4o-mini", cost_per_1k: 0.15 } },
    });
    const { mode, settings, providers } = mergePatch(DEFAULT_MODE, update);
    expect(mode).toBe("aggressive");
    expect(settings).toEqual({ ...DEFAULT_MODE.settings, max_iterations: 1 });
    expect(providers.fast).toEqual(DEFAULT_MODE.providers.fast);
    expect(providers.verify.provider).toBe("openai");
  });

  it.each([
    {},
    { mode: "turbo" },
    { mode: "balanced", settings: { complexity_threshold: -0.1 } },
    { mode: "balanced", settings: { confidence_threshold: 1.1 } },
    { mode: "balanced", settings: { max_iterations: 0 } },
    { mode: "balanced", providers: { fast: { provider: "oracle", model: "x", cost_per_1k: 0 } } },
    { mode: "balanced", providers: { fast: { cost_per_1k: -1 } } },
    { mode: "balanced", settings: { max_iteration: 2 } },
    { mode: "balanced", providers: { slow: {} } },
  ])("refuses %j", (update) => {
    expect(ModeUpdate.safeParse(update).success).toBe(false);
  });
});

describe("configuration", () => {
  it("has defaults in its own shape", () => {
    expect(CompressionConfig.parse(DEFAULT_CONFIG)).toEqual(DEFAULT_CONFIG);
  });

  it("changes nested parts and keeps the rest", () => {
    const update = CompressionConfigUpdate.parse({
      performance: { worker_pool_size: 8 },
      monitoring: { alert_thresholds: { error_rate: 0.1 } },
      algorithms: { semantic_compression: { algorithm: "real_best" } },
    });
    const changed = mergePatch(DEFAULT_CONFIG, update);
    expect(changed.performance).toEqual({ ...DEFAULT_CONFIG.performance, worker_pool_size: 8 });
    const { alert_thresholds } = DEFAULT_CONFIG.monitoring;
    expect(changed.monitoring.alert_thresholds).toEqual({ ...alert_thresholds, error_rate: 0.1 });
    expect(changed.algorithms.semantic_compression.algorithm).toBe("real_best");
    expect(mergePatch(DEFAULT_CONFIG, CompressionConfigUpdate.parse({}))).toEqual(DEFAULT_CONFIG);
  });

  it.each([
    { colour: "red" },
    { performance: { workers: 8 } },
    { algorithms: { zip: {} } },
    { algorithms: { promem: { speed: 1 } } },
    { monitoring: { alert_thresholds: { noise: 1 } } },
  ])("names the unknown members of %j", (update) => {
    const { error } = CompressionConfigUpdate.safeParse(update);
    expect(error?.issues.map(({ message }) => message)).toEqual([expect.stringMatching(/^Unrecognized key: "\w+"$/)]);
  });

  it("refuses empty pools and unknown algorithms", () => {
    expect(CompressionConfigUpdate.safeParse({ performance: { worker_pool_size: 0 } }).success).toBe(false);
    expect(
      CompressionConfigUpdate.safeParse({ algorithms: { semantic_compression: { algorithm: "zstd" } } }).success,
    ).toBe(false);
  });
});
