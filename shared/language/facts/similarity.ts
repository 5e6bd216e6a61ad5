import { memoizedByText } from "../../kernel/memoized.ts";
import { setOf } from "../../kernel/strings.ts";
import { analyse, countShared, words } from "../../kernel/text/text.ts";

/** Words that many plans share, so that they do not identify a plan. */
const GENERIC = new Set(
  analyse("trip travel visit plan meeting appointment call event journey flight holiday vacation go fly book booking"),
);
const NEGATIONS = setOf("no not never without nor none");
/** Minimum share of the shorter value's terms that the other contains if both are about the same thing. */
const SIMILAR_SHARE = 0.5;

/** Characters of the values whose terms are cached: all facts of a slot are compared each time that it is read. */
const MAX_CACHED_TEXT = 1_000_000;

/** Returns the content terms of a value. Negations count; a value with only stop words keeps them. */
export const termsOf: (value: string) => ReadonlySet<string> = memoizedByText(readTerms, MAX_CACHED_TEXT);

function readTerms(value: string): ReadonlySet<string> {
  const normalized = words(value).map(({ folded }) => folded);
  const terms = new Set(analyse(value));
  if (terms.size === 0) return new Set(normalized);
  if (normalized.some((word) => NEGATIONS.has(word))) terms.add("not");
  return terms;
}

/** Returns the terms that distinguish a value from others of its slot. */
export function distinctiveTerms(terms: ReadonlySet<string>): ReadonlySet<string> {
  const distinctive = new Set([...terms].filter((term) => !GENERIC.has(term)));
  return distinctive.size === 0 ? terms : distinctive;
}

/** Whether two values say the same, one of them possibly in more words. */
export function isSameValue(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [shorter, longer] = one.size <= other.size ? [one, other] : [other, one];
  if (one.has("not") !== other.has("not")) return false;
  return shorter.size > 0 && countShared(shorter, longer) === shorter.size;
}

/** Whether two values are about the same thing, by their distinctive terms. */
export function isSimilarValue(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return share(distinctiveTerms(one), distinctiveTerms(other)) >= SIMILAR_SHARE;
}

function share(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [shorter, longer] = one.size <= other.size ? [one, other] : [other, one];
  return shorter.size === 0 ? 0 : countShared(shorter, longer) / shorter.size;
}
