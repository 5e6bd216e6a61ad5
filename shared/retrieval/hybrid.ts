import { invalid } from "../kernel/errors.ts";
import type { Context } from "../platform/context.ts";
import { corroborate, type FusionWeights, plainWeights, type Ranked, weightedMean } from "./fusion.ts";
import { type Retrieval, type Retrieved, retrieve } from "./retrieve.ts";
import type { SearchDefaults } from "./settings.ts";

export interface HybridRetrieval extends Omit<Retrieval, "combine" | "weights"> {
  /** Together 1. */
  weights: FusionWeights;
  /** Least score; without one, memories that plain search would find relevant are answered. */
  threshold: number | undefined;
  defaults: Pick<SearchDefaults, "threshold">;
}

/** The relevant memories of an organization by the weighted mean of what meaning and words say. */
export async function retrieveHybrid(
  ctx: Pick<Context, "org" | "clock" | "ports">,
  { threshold, defaults, ...retrieval }: HybridRetrieval,
): Promise<Retrieved> {
  const { ranked, answer } = await retrieve(ctx, { ...retrieval, combine: weightedMean });
  return { ranked: ranked.filter(relevance(ctx, threshold, defaults.threshold)), answer };
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

/**
 * A threshold that is given is one of hybrid scores. Weights move their scale, so that without one what counts is
 * whether plain search would find the memory relevant.
 */
function relevance(
  { ports }: Pick<Context, "ports">,
  given: number | undefined,
  configured: number,
): (hit: Ranked) => boolean {
  if (given !== undefined) return ({ score }) => score >= given;
  const plain = plainWeights(ports.embedder);
  return ({ semanticScore, keywordScore }) => corroborate(semanticScore, keywordScore, plain) >= configured;
}
