import { analyse, words } from "../retrieval/text.ts";

/** Words that many plans have in common; they say nothing of which one is meant. */
const GENERIC = new Set(
  analyse("trip travel visit plan meeting appointment call event journey flight holiday vacation go fly book booking"),
);
const NEGATIONS = new Set("no not never without nor none".split(" "));
/** Share of the shorter value's terms that the other holds, from which on they speak of one thing. */
const SIMILAR_SHARE = 0.5;
/** The same of two statements of which the later replaces the earlier. */
const REPLACED_SHARE = 0.6;

/** The content terms of a value. Negations count; a value of stop words alone keeps them. */
export function termsOf(value: string): ReadonlySet<string> {
  const said = words(value).map(({ folded }) => folded);
  const terms = new Set(analyse(value));
  if (terms.size === 0) return new Set(said);
  if (said.some((word) => NEGATIONS.has(word))) terms.add("not");
  return terms;
}

/** Terms by which a value is told from others of its slot. */
export function distinctiveTerms(terms: ReadonlySet<string>): ReadonlySet<string> {
  const own = new Set([...terms].filter((term) => !GENERIC.has(term)));
  return own.size === 0 ? terms : own;
}

/** Whether one value says the same as another, or the same in more words. */
export function isSameValue(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const [shorter, longer] = one.size <= other.size ? [one, other] : [other, one];
  if (one.has("not") !== other.has("not")) return false;
  return shorter.size > 0 && shared(shorter, longer) === shorter.size;
}

/** Whether two values speak of one thing, by the terms that tell it from others. */
export function isSimilarValue(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return share(distinctiveTerms(one), distinctiveTerms(other)) >= SIMILAR_SHARE;
}

/** Whether a value is another one with a new figure in it; `isWhole` where each is a whole statement, all of which counts. */
export function isRevisedValue(
  one: ReadonlySet<string>,
  other: ReadonlySet<string>,
  { isWhole = false }: { isWhole?: boolean } = {},
): boolean {
  const [words, numbers] = split(one);
  const [otherWords, otherNumbers] = split(other);
  if (numbers.size === 0 || otherNumbers.size === 0 || shared(numbers, otherNumbers) === numbers.size) return false;
  const isSameRelation =
    !isWhole || shared(words, otherWords) >= REPLACED_SHARE * Math.max(words.size, otherWords.size);
  return isSameRelation && share(words, otherWords) >= REPLACED_SHARE;
}

function split(terms: ReadonlySet<string>): [ReadonlySet<string>, ReadonlySet<string>] {
  const numbers = new Set([...terms].filter((term) => /\p{Nd}/u.test(term)));
  return [new Set([...terms].filter((term) => !numbers.has(term))), numbers];
}

function share(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [shorter, longer] = one.size <= other.size ? [one, other] : [other, one];
  return shorter.size === 0 ? 0 : shared(shorter, longer) / shorter.size;
}

function shared(shorter: ReadonlySet<string>, longer: ReadonlySet<string>): number {
  let count = 0;
  for (const term of shorter) if (longer.has(term)) count++;
  return count;
}
