import type { Calibrated } from "../../ports/embedder.ts";
import type { KeywordStatistics } from "../../ports/search-index.ts";
import { isPlausible, unheldTerms } from "./ranking/confidence.ts";
import { isRatedUseless } from "./ranking/feedback.ts";
import type { Ranked } from "./ranking/fusion.ts";
import type { Retrieved } from "./retrieve.ts";

/** A word is rare if at most this many documents, and at most this share of all documents, contain it. */
const MAX_RARE_DOCUMENTS = 10;
const MAX_RARE_SHARE = 0.01;

export interface Thresholds {
  /** The request's own threshold, applied exactly. */
  threshold: number | undefined;
  /** Used if the request has no threshold: the minimum score, as a share of the best score if that is plausible. */
  defaults: { threshold: number };
}

/**
 * Returns the ranked hits that a search shows. A request's own threshold is applied exactly. Without one it shows hits
 * that are relevant, that contain a rare word of the query and, if the best is a plausible answer, that are nearly as
 * good as the best. Memories that people rated as useless are shown only if they are relevant.
 */
export function showable(
  embedder: Calibrated,
  { ranked, answer, question }: Pick<Retrieved, "ranked" | "answer" | "question">,
  { threshold, defaults }: Thresholds,
): Ranked[] {
  if (threshold !== undefined) return ranked.filter(({ score }) => score >= threshold);
  const minScore = minScoreOf(embedder, { ranked, answer }, { threshold, defaults });
  // A memory with a part of a code is about another one: "OPS-2210" for "OPS-7777".
  const unheld = unheldTerms(question, answer);
  const rare = [...rareTerms(answer.statistics)].filter((term) => !unheld.has(term));
  const withRare = new Set(
    answer.keyword.flatMap(({ id, terms }) => (terms?.some((term) => rare.includes(term)) ? [id] : [])),
  );
  return ranked.filter(({ id, score, document }) =>
    isRatedUseless(document.ratings) ? score >= defaults.threshold : score >= minScore || withRare.has(id),
  );
}

/** Returns the minimum score that applies, except to hits that contain a rare word of the query. */
export function minScoreOf(
  embedder: Calibrated,
  { ranked, answer }: Pick<Retrieved, "ranked" | "answer">,
  { threshold, defaults }: Thresholds,
): number {
  if (threshold !== undefined) return threshold;
  const best = Math.max(0, ...ranked.map(({ score }) => score));
  return defaults.threshold * (isPlausible(embedder, answer, best) ? best : 1);
}

function rareTerms(statistics: KeywordStatistics | undefined): Set<string> {
  const { documents = 0, terms = [] } = statistics ?? {};
  const max = Math.max(1, Math.min(MAX_RARE_DOCUMENTS, documents * MAX_RARE_SHARE));
  return new Set(terms.flatMap(({ term, documents: containing }) => (containing <= max ? [term] : [])));
}
