import { invalid } from "../../kernel/errors.ts";
import type { FusionWeights } from "./ranking/fusion.ts";
import { individualScores } from "./ranking/rank.ts";
import { fuseByMean } from "./ranking/weighted.ts";
import { showable } from "./relevance.ts";
import { type Retrieval, type Retrieved, retrieve, type Searcher } from "./retrieve.ts";
import type { SearchDefaults } from "./settings.ts";

export interface HybridRetrieval extends Omit<Retrieval, "fusion"> {
  /** Sum to 1. */
  weights: FusionWeights;
  /** Minimum hybrid score; if undefined, the memories that are relevant by the ranking's score are returned. */
  threshold: number | undefined;
  defaults: Pick<SearchDefaults, "threshold">;
}

/** The relevant memories, and how many of the hits by meaning are about the query. */
interface HybridRetrieved extends Retrieved {
  semanticMatches: number;
}

/** Minimum semantic score of a memory that is about the query. */
const MATCH = 0.5;

/** Returns the relevant memories of an organization by the weighted mean of semantic and keyword scores. */
export async function retrieveHybrid(
  ctx: Searcher,
  { threshold, defaults, weights, ...retrieval }: HybridRetrieval,
): Promise<HybridRetrieved> {
  const { now = ctx.clock(), asOf = now } = retrieval;
  const show = ({ ranked, answer, question }: Pick<Retrieved, "ranked" | "answer" | "question">) => {
    if (threshold !== undefined) return ranked.filter(({ score }) => score >= threshold);
    // Weights shift the scale of hybrid scores, so relevance is decided on the ranking's scale.
    const scores = individualScores(ctx.ports.embedder, { query: question.query, answer, now: asOf });
    // Hits behind the ranked ones are at most as relevant as the least relevant of these.
    const weakest = Math.min(1, ...scores.values());
    const judged = ranked.map((hit) => ({ ...hit, score: scores.get(hit.id) ?? weakest }));
    const shown = new Set(
      showable(ctx.ports.embedder, { ranked: judged, answer, question }, { threshold, defaults }).map(({ id }) => id),
    );
    return ranked.filter(({ id }) => shown.has(id));
  };
  const found = await retrieve(ctx, {
    ...retrieval,
    fusion: { weights, fuse: fuseByMean },
    showsAll: (head) => show(head).length === head.ranked.length,
  });
  const byMeaning = new Set(found.answer.semantic.map(({ id }) => id));
  const matches = found.ranked.filter(({ id, semanticScore }) => byMeaning.has(id) && semanticScore >= MATCH);
  return { ...found, ranked: show(found), semanticMatches: matches.length };
}

/** Sums this near to 1 count as 1, because 0.1 + 0.9 may differ from 1 in binary. */
const TOLERANCE = 1e-9;

/** Returns semantic and keyword weights scaled to a sum of 1. Throws VALIDATION_ERROR if both are 0. */
export function normalizeWeights(semantic: number, keyword: number): FusionWeights {
  checkWeights(semantic, keyword);
  const sum = semantic + keyword;
  return Math.abs(sum - 1) < TOLERANCE ? { semantic, keyword } : { semantic: semantic / sum, keyword: keyword / sum };
}

/** Throws VALIDATION_ERROR if both weights are 0. */
export function checkWeights(semantic: number, keyword: number): void {
  if (semantic + keyword > 0) return;
  throw invalid({ field: "semantic_weight", problem: "must not be 0 when keyword_weight is 0" });
}
