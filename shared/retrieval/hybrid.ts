import { invalid } from "../kernel/errors.ts";
import { type FusionWeights, weightedMean } from "./fusion.ts";
import { scoresAlone } from "./ranking/rank.ts";
import { showable } from "./relevance.ts";
import { type Retrieval, type Retrieved, retrieve, type Searcher } from "./retrieve.ts";
import type { SearchDefaults } from "./settings.ts";

export interface HybridRetrieval extends Omit<Retrieval, "fusion"> {
  /** Together 1. */
  weights: FusionWeights;
  /** Least hybrid score; without one, memories that are relevant by themselves are answered. */
  threshold: number | undefined;
  defaults: Pick<SearchDefaults, "threshold">;
}

/** The relevant memories of an organization by the weighted mean of what meaning and words say. */
export async function retrieveHybrid(
  ctx: Searcher,
  { threshold, defaults, weights, ...retrieval }: HybridRetrieval,
): Promise<Retrieved> {
  const found = await retrieve(ctx, { ...retrieval, fusion: { weights, combine: weightedMean } });
  const { ranked, answer } = found;
  if (threshold !== undefined) return { ...found, ranked: ranked.filter(({ score }) => score >= threshold) };
  const { query, now = ctx.clock(), asOf = now } = retrieval;
  // Weights move the scale of hybrid scores, so that what is relevant is decided on the ranking's.
  const scores = scoresAlone(ctx.ports.embedder, { query, answer, now: asOf });
  const judged = ranked.map((hit) => ({ ...hit, score: scores.get(hit.id) ?? 0 }));
  const shown = new Set(showable({ ranked: judged, answer }, { threshold, defaults }).map(({ id }) => id));
  return { ...found, ranked: ranked.filter(({ id }) => shown.has(id)) };
}

/** Sums so near to 1 are 1: 0.1 + 0.9 written in binary. */
const TOLERANCE = 1e-9;

/** Shares of meaning and words that are 1 together. Throws VALIDATION_ERROR where neither weighs anything. */
export function normalizeWeights(semantic: number, keyword: number): FusionWeights {
  checkWeights(semantic, keyword);
  const sum = semantic + keyword;
  return Math.abs(sum - 1) < TOLERANCE ? { semantic, keyword } : { semantic: semantic / sum, keyword: keyword / sum };
}

/** Throws VALIDATION_ERROR where neither weighs anything. */
export function checkWeights(semantic: number, keyword: number): void {
  if (semantic + keyword > 0) return;
  throw invalid({ field: "semantic_weight", problem: "must not be 0 when keyword_weight is 0" });
}
