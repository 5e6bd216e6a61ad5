import { trimmedEnd } from "../../kernel/strings.ts";
import type { Word } from "../../kernel/text/text.ts";
import { type Condensable, readCondensable } from "./condensing/condense.ts";
import { retentionOf, type TermWeights, termOf } from "./condensing/salience.ts";
import type { TokenCounter } from "./condensing/tokens.ts";

/** A text condensed to a token limit. */
export interface Gist {
  text: string;
  /** o200k_base tokens of `text`. */
  tokens: number;
  /** Share of the salience-weighted terms, 0..1, that are retained. */
  retention: number;
}

/** Maximum number of search steps for the strength that just fits; a result that fills this share ends the search. */
const SEARCH_STEPS = 6;
const WELL_FILLED = 0.85;
/** The next strength is found by linear interpolation, but stays this share of the interval away from either end. */
const MARGIN = 0.1;
const CUT = " …";

/**
 * Condenses a text as little as needed to fit into `maxTokens` (at least 1); cuts it if it is still too long. `read` is
 * the text as `readCondensable` returns it, if the caller has it.
 */
export function condenseTo(text: string, maxTokens: number, tokens: TokenCounter, read?: Condensable): Gist {
  const count = tokens.count(text);
  if (count <= maxTokens) return { text, tokens: count, retention: 1 };
  const { weights, condense } = read ?? readCondensable(text, tokens);
  let fitting: { text: string; tokens: number } | undefined;
  let low = { keep: 0, tokens: 0 };
  let high = { keep: 1, tokens: count };
  for (let step = 0; step < SEARCH_STEPS && (fitting?.tokens ?? 0) < WELL_FILLED * maxTokens; step++) {
    const share = (maxTokens - low.tokens) / (high.tokens - low.tokens);
    const keep = low.keep + (high.keep - low.keep) * Math.min(1 - MARGIN, Math.max(MARGIN, share));
    const condensed = condense(keep);
    const tried = { keep, tokens: tokens.count(condensed) };
    if (tried.tokens <= maxTokens) {
      fitting = { text: condensed, tokens: tried.tokens };
      low = tried;
    } else {
      high = tried;
    }
  }
  const kept = fitting?.text ?? cutTo(condense(0), maxTokens, tokens);
  return { text: kept, tokens: fitting?.tokens ?? tokens.count(kept), retention: retentionOf(weights, kept) };
}

/** Returns a prefix of the text that fits, cut between words if possible. */
function cutTo(text: string, maxTokens: number, tokens: TokenCounter): string {
  let cut = text;
  for (let count = tokens.count(cut); count > maxTokens && cut !== ""; count = tokens.count(cut)) {
    const short = cut.slice(0, Math.min(cut.length - CUT.length - 1, Math.floor((cut.length * maxTokens) / count)));
    const words = trimmedEnd(short, /\S/).slice(0, -1);
    const kept = (words === "" ? short : words).toWellFormed();
    cut = kept === "" ? "" : kept + CUT;
  }
  return cut;
}

/** A salient sentence and its score, which is comparable between texts. */
export interface KeyPoint {
  text: string;
  score: number;
}

const MIN_WORDS = 4;
const MAX_CHARACTERS = 240;
/** A sentence with less than this share of the best score is not a key point. */
const MIN_SHARE = 0.2;

/**
 * Returns at most `limit` of the most salient statements, in the order of the text. Each step selects the sentence
 * whose terms, except those already covered, have the most salience relative to the square root of its length.
 */
export function keyPointsOf(text: string, limit: number, tokens: TokenCounter): KeyPoint[] {
  const { lines, weights } = readCondensable(text, tokens);
  const candidates = lines
    .flatMap(({ sentences }) => sentences)
    .map(({ start, end, words }) => ({ text: text.slice(start, end).trim(), words }))
    .filter((sentence) => sentence.words.length >= MIN_WORDS && sentence.text.length <= MAX_CHARACTERS)
    .filter((sentence) => !sentence.text.endsWith("?"));
  const chosen: { position: number; point: KeyPoint }[] = [];
  for (const { position, score } of bySalience(candidates, weights)) {
    if (chosen.length === limit || score < MIN_SHARE * (chosen[0]?.point.score ?? 0)) break;
    chosen.push({ position, point: { text: candidates[position]?.text ?? "", score } });
  }
  return chosen.sort((a, b) => a.position - b.position).map(({ point }) => point);
}

/** A candidate: its words, and its weight relative to the others (default 1). */
export interface Salient {
  words: Word[];
  factor?: number;
}

/**
 * Yields the indexes of sentences by descending gain: the salience of the terms that no yielded sentence has, divided
 * by a power of the length in words. Ends when no sentence adds anything.
 *
 * A gain only falls as terms are covered, so a gain computed earlier is an upper bound, and only the sentences with the
 * highest bounds are computed again (lazy greedy selection; Minoux, "Accelerated greedy algorithms", 1978).
 */
export function* bySalience(
  sentences: Salient[],
  weights: TermWeights,
  exponent = 0.5,
): Generator<{ position: number; score: number }> {
  const covered = new Set<string>();
  /** Returns a sentence with its current gain; undefined if it adds nothing. */
  const gaining = (sentence: Bounded): Bounded | undefined => {
    const fresh = sentence.terms.filter(({ term }) => !covered.has(term));
    // Each "not" counts as new, but not in a sentence that adds no other new term.
    if (fresh.every(({ isPositional }) => isPositional)) return undefined;
    const gain = sentence.scale * fresh.reduce((sum, { weight }) => sum + weight, 0);
    return gain > 0 ? { ...sentence, gain } : undefined;
  };
  /** The best sentence is the last one. */
  const remaining = sentences
    .map((sentence, position) => gaining(boundedOf(sentence, position, weights, exponent)))
    .filter((sentence) => sentence !== undefined)
    .sort(byBound);
  for (let bound = remaining.pop(); bound !== undefined; bound = remaining.pop()) {
    const best = gaining(bound);
    if (best === undefined) continue;
    const next = remaining.at(-1);
    if (next !== undefined && byBound(best, next) < 0) {
      remaining.splice(positionFor(best, remaining), 0, best);
      continue;
    }
    for (const { term } of best.terms) covered.add(term);
    yield { position: best.position, score: Math.round(best.gain * 100) / 100 };
  }
}

/** A sentence with an upper bound of its gain. */
interface Bounded {
  position: number;
  terms: { term: string; isPositional: boolean; weight: number }[];
  scale: number;
  gain: number;
}

function boundedOf({ words, factor = 1 }: Salient, position: number, weights: TermWeights, exponent: number): Bounded {
  const terms = [...new Map(words.map((word) => [termOf(word), word]))].map(([term, { folded }]) => ({
    term,
    isPositional: term !== folded,
    weight: weights.get(term) ?? 0,
  }));
  return { position, terms, scale: factor / words.length ** exponent, gain: Number.POSITIVE_INFINITY };
}

/** Orders sentences by ascending gain; of equal ones the earlier sentence is the better one. */
function byBound(one: Bounded, other: Bounded): number {
  return one.gain - other.gain || other.position - one.position;
}

/** Returns the index at which a sentence keeps the order; a binary search. */
function positionFor(sentence: Bounded, ordered: Bounded[]): number {
  let [low, high] = [0, ordered.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = ordered[middle];
    if (at !== undefined && byBound(at, sentence) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
