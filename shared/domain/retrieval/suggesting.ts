import { rounded } from "../../kernel/math.ts";
import { Query } from "../../language/questions/query.ts";
import { categorize } from "../memory/conversation.ts";
import type { Memory } from "../memory/memory.ts";
import { plainWeights } from "./ranking/fusion.ts";
import { fuseByEvidence } from "./ranking/weighted.ts";
import { retrieve, type Searcher } from "./retrieve.ts";

/** A label that no user gave, and its probability of being right, 0..1. */
export interface Suggestion {
  value: string;
  confidence: number;
}

export type Suggested = { [label in Label]?: Suggestion };

/** A labelled memory, and its similarity, 0..1. */
export interface LabelledNeighbour {
  score: number;
  category?: string | undefined;
  type?: string | undefined;
}

type Label = "category" | "type";
type Unlabelled = Pick<Memory, "content" | "facts" | Label>;

interface Vote {
  value: string;
  /** Similarity, or confidence. */
  score: number;
}

const LABELS: readonly Label[] = ["category", "type"];
/** Number of neighbours that vote. */
const MAX_NEIGHBOURS = 5;
/** Characters of the content that are used to find neighbours. */
const EXCERPT_LENGTH = 500;
/** Categories of facts that do not imply a memory type. */
const NOT_A_TYPE: readonly string[] = ["attribute", "other"];
/** Suggestions with a lower confidence are left out; fitted on one half of the labelled texts of the tests. */
const MIN_CONFIDENCE = 0.25;
const DECIMALS = 2;

/**
 * Suggests the category and the type of a memory that lacks them: those of its labelled neighbours, weighted by
 * similarity, or else the type implied by its facts. Leaves out labels that are not likely enough.
 */
export function suggestLabels(memory: Unlabelled, neighbours: LabelledNeighbour[]): Suggested {
  const suggested: Suggested = {};
  for (const label of LABELS) {
    if (memory[label] !== undefined) continue;
    const near = likeliest(votesOf(memory.content, neighbours, label));
    const stated = memory.facts.map(({ category, confidence }) => ({ value: category, score: confidence }));
    const likely = near ?? (label === "type" ? likeliest(stated, NOT_A_TYPE) : undefined);
    if (likely) suggested[label] = likely;
  }
  return suggested;
}

/** Returns the labelled memories nearest to one that lacks a label; an empty list if it lacks none. One search. */
export async function findLabelledNeighbours(ctx: Searcher, memory: Unlabelled): Promise<LabelledNeighbour[]> {
  const missing = LABELS.filter((label) => memory[label] === undefined);
  if (missing.length === 0) return [];
  const { ranked } = await retrieve(ctx, {
    query: new Query(memory.content.slice(0, EXCERPT_LENGTH)),
    filters: { where: { any: missing.map((path) => ({ path, present: true as const })) } },
    depth: MAX_NEIGHBOURS,
    // By words and meaning alone: a label has nothing to do with what answers a question.
    fusion: { weights: plainWeights(ctx.ports.embedder), fuse: fuseByEvidence },
  });
  return ranked.slice(0, MAX_NEIGHBOURS).map(({ score, document: { category, type } }) => ({ score, category, type }));
}

/** Returns the neighbours' votes; a label whose words occur in the content gets another vote with a score of 1. */
function votesOf(content: string, neighbours: LabelledNeighbour[], label: Label): Vote[] {
  const votes = neighbours.flatMap(({ score, [label]: value }) => (value === undefined ? [] : [{ value, score }]));
  const used = Object.fromEntries(votes.map(({ value }) => [value, ""]));
  const { categories: named = [] } = categorize(content, {}, used);
  return [...votes, ...named.map((value) => ({ value, score: 1 }))];
}

/**
 * Returns the value with most votes, except those in `excluded`. Its confidence is its share of the votes times its
 * best vote.
 */
function likeliest(votes: Vote[], excluded: readonly string[] = []): Suggestion | undefined {
  const total = votes.reduce((sum, { score }) => sum + score, 0);
  const values = [...new Set(votes.map(({ value }) => value))].filter((value) => !excluded.includes(value));
  const rated = values.map((value) => {
    const scores = votes.filter((vote) => vote.value === value).map(({ score }) => score);
    const share = scores.reduce((sum, score) => sum + score, 0) / total;
    return { value, confidence: rounded(share * Math.max(...scores), DECIMALS) };
  });
  const [best] = rated.sort((a, b) => b.confidence - a.confidence);
  return best !== undefined && best.confidence >= MIN_CONFIDENCE ? best : undefined;
}
