import type { KeywordStatistics } from "../platform/ports.ts";
import { isRatedUseless } from "./feedback.ts";
import type { Ranked } from "./fusion.ts";
import { PLAUSIBLE } from "./ranking/confidence.ts";
import type { Retrieved } from "./retrieve.ts";

/** A word is rare that so few documents hold, and no greater share of them. */
const MAX_RARE_DOCUMENTS = 10;
const MAX_RARE_SHARE = 0.01;

export interface Thresholds {
  /** The request's own: obeyed to the letter. */
  threshold: number | undefined;
  /** Where the request names none: the least score, as a share of the best one where that is below 1. */
  defaults: { threshold: number };
}

/**
 * What a search shows of what it ranked. A request's own threshold is obeyed. Without one it shows what is relevant, what
 * holds a rare word of the query and, where the best is a plausible answer, what is nearly as good as the best. Of what
 * people rated as useless it shows the relevant alone.
 */
export function showable(
  { ranked, answer }: Pick<Retrieved, "ranked" | "answer">,
  { threshold, defaults }: Thresholds,
): Ranked[] {
  if (threshold !== undefined) return ranked.filter(({ score }) => score >= threshold);
  const best = Math.max(0, ...ranked.map(({ score }) => score));
  const least = defaults.threshold * (best >= PLAUSIBLE ? best : 1);
  const rare = rareTerms(answer.statistics);
  const withRare = new Set(
    answer.keyword.flatMap(({ id, terms }) => (terms?.some((term) => rare.has(term)) ? [id] : [])),
  );
  return ranked.filter(({ id, score, document }) =>
    isRatedUseless(document.ratings) ? score >= defaults.threshold : score >= least || withRare.has(id),
  );
}

function rareTerms(statistics: KeywordStatistics | undefined): Set<string> {
  const { documents = 0, terms = [] } = statistics ?? {};
  const most = Math.max(1, Math.min(MAX_RARE_DOCUMENTS, documents * MAX_RARE_SHARE));
  return new Set(terms.flatMap(({ term, documents: holding }) => (holding <= most ? [term] : [])));
}
