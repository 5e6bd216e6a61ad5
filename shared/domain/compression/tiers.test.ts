import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "../../kernel/durations.ts";
import {
  DEFAULT_TIER_POLICY,
  decideTier,
  emptyUsage,
  type MemoryFacts,
  PolicyName,
  planSweep,
  resolveTierPolicy,
  TIER_DEFAULTS,
  TIERS,
  TierPolicyUpdate,
  TierSettings,
} from "./tiers.ts";

function memory(facts: Partial<MemoryFacts>): MemoryFacts {
  return { id: "mem_1", tier: "working", age_ms: 0, access_count: 0, tokens: 10, ...facts };
}

function policyOf(settings: TierPolicyUpdate["settings"]) {
  return resolveTierPolicy({ policy: "balanced", settings });
}

describe("tier policy", () => {
  it("has defaults that are valid and move later the more conservative they are", () => {
    for (const settings of Object.values(TIER_DEFAULTS)) expect(TierSettings.parse(settings)).toEqual(settings);
    const hours = PolicyName.options.map((name) => TIER_DEFAULTS[name].working_tier.retention_hours);
    expect(hours).toEqual(hours.toSorted((a, b) => a - b));
  });

  it("overlays an update on the policy's defaults", () => {
    const update = { policy: "aggressive", settings: { hot_tier: { max_memories: 7 } } };
    const { policy, settings } = resolveTierPolicy(TierPolicyUpdate.parse(update));
    expect(policy).toBe("aggressive");
    expect(settings.hot_tier).toEqual({ ...TIER_DEFAULTS.aggressive.hot_tier, max_memories: 7 });
    expect(settings.cold_tier).toEqual(TIER_DEFAULTS.aggressive.cold_tier);
  });

  it.each([
    { settings: {} },
    { policy: "balanced" },
    { policy: "turbo", settings: {} },
    { policy: "balanced", settings: { working_tier: { retention_hours: 0 } } },
    { policy: "balanced", settings: { hot_tier: { access_threshold_ms: -1 } } },
    { policy: "balanced", settings: { archive_tier: { backend: " " } } },
    { policy: "balanced", settings: { warm_tier: {} } },
    { policy: "balanced", settings: { hot_tier: { retention_hours: 1 } } },
  ])("refuses %j", (update) => {
    expect(TierPolicyUpdate.safeParse(update).success).toBe(false);
  });
});

describe("decideTier", () => {
  it.each([
    [{ age_ms: HOUR_MS }, "working"],
    [{ age_ms: 24 * HOUR_MS }, "working"],
    [{ age_ms: 24 * HOUR_MS + 1 }, "hot"],
    [{ age_ms: 31 * DAY_MS }, "cold"],
    [{ age_ms: 181 * DAY_MS }, "archive"],
    [{ age_ms: 181 * DAY_MS, idle_ms: 6 * DAY_MS, access_count: 1 }, "cold"],
    [{ age_ms: 181 * DAY_MS, idle_ms: 2 * HOUR_MS, access_count: 1 }, "hot"],
    [{ age_ms: 181 * DAY_MS, idle_ms: 1, access_count: 1, tier: "archive" }, "working"],
  ] as const)("puts %j into %s", (facts, tier) => {
    expect(decideTier(memory(facts), emptyUsage(), DEFAULT_TIER_POLICY)).toBe(tier);
  });

  it("uses the next tier if one is full", () => {
    const full = { ...emptyUsage(), working: { memories: 1_000, tokens: 0 } };
    expect(decideTier(memory({}), full, DEFAULT_TIER_POLICY)).toBe("hot");
    const nine = { max_tokens: 9 };
    const small = policyOf({ working_tier: nine, hot_tier: nine, cold_tier: nine });
    expect(decideTier(memory({}), emptyUsage(), small)).toBe("archive");
  });
});

describe("planSweep", () => {
  it("demotes the oldest first, then the least used", () => {
    const policy = policyOf({ working_tier: { max_memories: 2 } });
    const memories = [
      memory({ id: "old", age_ms: 3 * HOUR_MS }),
      memory({ id: "rare", age_ms: 5 * HOUR_MS, idle_ms: 2 * HOUR_MS, access_count: 1 }),
      memory({ id: "often", age_ms: 5 * HOUR_MS, idle_ms: 2 * HOUR_MS, access_count: 9 }),
      memory({ id: "new", age_ms: HOUR_MS }),
    ];
    const { migrations, usage } = planSweep(memories, policy);
    expect(migrations).toEqual([
      { id: "rare", from: "working", to: "hot" },
      { id: "old", from: "working", to: "hot" },
    ]);
    expect(usage.working).toEqual({ memories: 2, tokens: 20 });
    expect(usage.hot).toEqual({ memories: 2, tokens: 20 });
  });

  it("promotes memories that are read again", () => {
    const read = memory({ id: "read", tier: "archive", age_ms: 400 * DAY_MS, idle_ms: 5, access_count: 1 });
    expect(planSweep([read], DEFAULT_TIER_POLICY).migrations).toEqual([{ id: "read", from: "archive", to: "working" }]);
  });

  it("names memories archived for longer than the archive's retention", () => {
    const old = { tier: "archive", age_ms: 1_826 * DAY_MS } as const;
    const read = memory({ id: "read", ...old, idle_ms: 200 * DAY_MS, access_count: 3 });
    const { past_retention } = planSweep([memory({ id: "forgotten", ...old }), read], DEFAULT_TIER_POLICY);
    expect(past_retention).toEqual(["forgotten"]);
  });

  it("never exceeds a limit, loses no memory, and changes nothing the second time", () => {
    const facts = fc.record({
      tier: fc.constantFrom(...TIERS),
      age_ms: fc.nat(400 * DAY_MS),
      idle_ms: fc.option(fc.nat(400 * DAY_MS), { nil: undefined }),
      access_count: fc.nat(5),
      tokens: fc.nat(50),
    });
    const policy = policyOf({
      working_tier: { max_memories: 3, max_tokens: 60 },
      hot_tier: { max_memories: 4, max_tokens: 90 },
      cold_tier: { max_memories: 5, max_tokens: 120 },
    });
    fc.assert(
      fc.property(fc.array(facts, { maxLength: 40 }), (list) => {
        const memories = list.map((each, index) => ({ ...each, id: `mem_${index}` }));
        const { migrations, usage } = planSweep(memories, policy);
        const { working_tier, hot_tier, cold_tier } = policy.settings;
        for (const [used, limit] of [
          [usage.working, working_tier],
          [usage.hot, hot_tier],
          [usage.cold, cold_tier],
        ] as const) {
          expect(used.memories).toBeLessThanOrEqual(limit.max_memories);
          expect(used.tokens).toBeLessThanOrEqual(limit.max_tokens);
        }
        expect(TIERS.reduce((sum, tier) => sum + usage[tier].memories, 0)).toBe(memories.length);
        const moved = new Map(migrations.map(({ id, to }) => [id, to]));
        const after = memories.map((each) => ({ ...each, tier: moved.get(each.id) ?? each.tier }));
        expect(planSweep(after, policy).migrations).toEqual([]);
      }),
    );
  });
});
