import { foldAccents } from "../../kernel/text/fold.ts";
import { stem } from "../../kernel/text/text.ts";
import type { Query } from "../../language/questions/query.ts";
import { stemmingOfQuery, stemsOf } from "../../language/words/stems.ts";
import { daysOf } from "./pattern.ts";
import type { Pattern } from "./records.ts";

/** Maximum patterns shown for a query, and minimum share of a pattern's words that the query has; two are always enough. */
const MAX_MATCHING = 3;
const MIN_SHARE = 0.5;
const ENOUGH_WORDS = 2;

/** Returns the patterns that a query is about, best first: it has at least half of their words, or two. */
export function matchingQuery(patterns: readonly Pattern[], query: Query): Pattern[] {
  const asked = stemsIn(query);
  return patterns
    .map((pattern) => ({ pattern, shared: pattern.terms.filter((term) => asked.has(term)).length }))
    .filter(({ pattern, shared }) => shared > 0 && shared >= Math.min(ENOUGH_WORDS, MIN_SHARE * pattern.terms.length))
    .sort((one, other) => other.shared - one.shared || daysOf(other.pattern) - daysOf(one.pattern))
    .slice(0, MAX_MATCHING)
    .map(({ pattern }) => pattern);
}

function stemsIn({ words }: Query): ReadonlySet<string> {
  const folded = words.map((word) => foldAccents(word.folded));
  const stemming = stemmingOfQuery(folded);
  return new Set(folded.flatMap((word) => [stem(word), ...stemsOf(word, stemming)]));
}
