import * as z from "zod";
import { DAY_MS, HOUR_MS } from "../../kernel/durations.ts";
import { mergePatch } from "../../kernel/objects.ts";

/** From the fastest to the cheapest. */
export const TIERS = ["working", "hot", "cold", "archive"] as const;
export type Tier = (typeof TIERS)[number];
/** Tiers with limits; memories that fit into none of them are archived. */
const LIVE_TIERS = ["working", "hot", "cold"] as const;
type LiveTier = (typeof LIVE_TIERS)[number];

const amount = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const days = z.number().int().min(1).max(36_500);
const limits = {
  max_tokens: amount,
  max_memories: amount,
  /** A memory read within this time qualifies for the tier regardless of its age. */
  access_threshold_ms: amount,
};

const WorkingTier = z.object({ ...limits, retention_hours: z.number().int().min(1).max(876_000) });
const StoredTier = z.object({ ...limits, retention_days: days });
const ArchiveTier = z.object({
  /** A label; archived content lives in the service's blob store. */
  backend: z.string().trim().min(1).max(64),
  retention_days: days,
  compression_enabled: z.boolean(),
});

export const TierSettings = z.object({
  working_tier: WorkingTier,
  hot_tier: StoredTier,
  cold_tier: StoredTier,
  archive_tier: ArchiveTier,
});
export type TierSettings = z.infer<typeof TierSettings>;

export const PolicyName = z.enum(["aggressive", "balanced", "conservative"]);
export type PolicyName = z.infer<typeof PolicyName>;

export const TierPolicy = z.object({ policy: PolicyName, settings: TierSettings });
export type TierPolicy = z.infer<typeof TierPolicy>;

/** PUT /tier/policy: `settings` overrides the policy's defaults; unknown fields are rejected. */
export const TierPolicyUpdate = z.object({
  policy: PolicyName,
  settings: z
    .strictObject({
      working_tier: WorkingTier.partial().strict(),
      hot_tier: StoredTier.partial().strict(),
      cold_tier: StoredTier.partial().strict(),
      archive_tier: ArchiveTier.partial().strict(),
    })
    .partial(),
});
export type TierPolicyUpdate = z.infer<typeof TierPolicyUpdate>;

/** aggressive moves memories to cheaper tiers early, conservative late. Limits are per organization. */
export const TIER_DEFAULTS: Record<PolicyName, TierSettings> = {
  aggressive: {
    working_tier: { max_tokens: 50_000, max_memories: 500, retention_hours: 6, access_threshold_ms: HOUR_MS / 2 },
    hot_tier: { max_tokens: 500_000, max_memories: 5_000, retention_days: 7, access_threshold_ms: DAY_MS / 2 },
    cold_tier: { max_tokens: 5_000_000, max_memories: 50_000, retention_days: 60, access_threshold_ms: 3 * DAY_MS },
    archive_tier: { backend: "blob_store", retention_days: 730, compression_enabled: true },
  },
  balanced: {
    working_tier: { max_tokens: 100_000, max_memories: 1_000, retention_hours: 24, access_threshold_ms: HOUR_MS },
    hot_tier: { max_tokens: 1_000_000, max_memories: 10_000, retention_days: 30, access_threshold_ms: DAY_MS },
    cold_tier: { max_tokens: 10_000_000, max_memories: 100_000, retention_days: 180, access_threshold_ms: 7 * DAY_MS },
    archive_tier: { backend: "blob_store", retention_days: 1_825, compression_enabled: true },
  },
  conservative: {
    working_tier: { max_tokens: 500_000, max_memories: 5_000, retention_hours: 168, access_threshold_ms: 6 * HOUR_MS },
    hot_tier: { max_tokens: 5_000_000, max_memories: 50_000, retention_days: 90, access_threshold_ms: 7 * DAY_MS },
    cold_tier: { max_tokens: 50_000_000, max_memories: 500_000, retention_days: 730, access_threshold_ms: 30 * DAY_MS },
    archive_tier: { backend: "blob_store", retention_days: 3_650, compression_enabled: true },
  },
};

export const DEFAULT_TIER_POLICY: TierPolicy = { policy: "balanced", settings: TIER_DEFAULTS.balanced };

export function resolveTierPolicy({ policy, settings }: TierPolicyUpdate): TierPolicy {
  return { policy, settings: mergePatch(TIER_DEFAULTS[policy], settings) };
}

/** The facts that decide a memory's tier. Ages are milliseconds before now. */
export interface MemoryFacts {
  id: string;
  tier: Tier;
  age_ms: number;
  /** Milliseconds since the last read; undefined if the memory was never read. */
  idle_ms?: number | undefined;
  access_count: number;
  tokens: number;
}

export interface Usage {
  memories: number;
  tokens: number;
}
export type TierUsage = Record<Tier, Usage>;

export interface Migration {
  id: string;
  from: Tier;
  to: Tier;
}

/** The fastest tier with room that the memory qualifies for by age or last read, else archive. `usage` excludes it. */
export function decideTier(memory: MemoryFacts, usage: TierUsage, { settings }: TierPolicy): Tier {
  return LIVE_TIERS.find((tier) => fits(memory, usage[tier], limitsOf(tier, settings))) ?? "archive";
}

/**
 * Assigns a tier to memories of an organization. If more memories qualify for a tier than it holds, it keeps the most
 * recently used, then the most often read; the others move to the next tier. A large organization is planned in parts,
 * the most recently used first: `before` is the usage that the previous part returned.
 * Returns the usage of each tier after the migrations; the caller decides what happens to memories past the archive's
 * retention.
 */
export function planSweep(memories: MemoryFacts[], policy: TierPolicy, before: TierUsage = emptyUsage()) {
  let usage = before;
  const migrations: Migration[] = [];
  const past_retention: string[] = [];
  for (const memory of memories.toSorted(byUse)) {
    const to = decideTier(memory, usage, policy);
    usage = addUsage(usage, [{ tier: to, tokens: memory.tokens }]);
    if (to !== memory.tier) migrations.push({ id: memory.id, from: memory.tier, to });
    if (to === "archive" && isPastRetention(memory, policy)) past_retention.push(memory.id);
  }
  return { migrations, usage, past_retention };
}

export function emptyUsage(): TierUsage {
  const none = { memories: 0, tokens: 0 };
  return { working: none, hot: none, cold: none, archive: none };
}

/** Returns usage with tokens and memories added by tier; a part without a number of memories is one memory. */
export function addUsage(before: TierUsage, parts: { tier: Tier; tokens: number; memories?: number }[]): TierUsage {
  const usage = { ...before };
  for (const { tier, tokens, memories = 1 } of parts) {
    usage[tier] = { memories: usage[tier].memories + memories, tokens: usage[tier].tokens + tokens };
  }
  return usage;
}

/** Milliseconds after which a read keeps a memory in no tier. */
export function longestAccessThreshold({ settings }: TierPolicy): number {
  return Math.max(...LIVE_TIERS.map((tier) => limitsOf(tier, settings).access_threshold_ms));
}

function fits({ age_ms, idle_ms, tokens }: MemoryFacts, used: Usage, limits: ReturnType<typeof limitsOf>): boolean {
  const isRead = idle_ms !== undefined && idle_ms <= limits.access_threshold_ms;
  const hasRoom = used.memories + 1 <= limits.memories && used.tokens + tokens <= limits.tokens;
  return hasRoom && (isRead || age_ms <= limits.retention_ms);
}

function isPastRetention(memory: MemoryFacts, { settings }: TierPolicy): boolean {
  return unusedMs(memory) > settings.archive_tier.retention_days * DAY_MS;
}

function limitsOf(tier: LiveTier, settings: TierSettings) {
  const { working_tier, hot_tier, cold_tier } = settings;
  const chosen = { working: working_tier, hot: hot_tier, cold: cold_tier }[tier];
  const retention_ms = "retention_hours" in chosen ? chosen.retention_hours * HOUR_MS : chosen.retention_days * DAY_MS;
  const { max_memories, max_tokens, access_threshold_ms } = chosen;
  return { memories: max_memories, tokens: max_tokens, retention_ms, access_threshold_ms };
}

/** Most recently read or changed first, then most often read, then youngest. */
function byUse(a: MemoryFacts, b: MemoryFacts): number {
  return unusedMs(a) - unusedMs(b) || b.access_count - a.access_count || a.age_ms - b.age_ms;
}

function unusedMs({ age_ms, idle_ms = Number.POSITIVE_INFINITY }: MemoryFacts): number {
  return Math.min(age_ms, idle_ms);
}
