import { trimmedEnd } from "../kernel/trimmed.ts";
import type { Word } from "../retrieval/text.ts";
import { readCondensable } from "./condense.ts";
import { retentionOf, type TermWeights } from "./salience.ts";
import { termOf } from "./terms.ts";
import type { TokenCounter } from "./tokens.ts";

/** What is left of a text that had to fit. */
export interface Gist {
  text: string;
  /** o200k_base tokens of `text`. */
  tokens: number;
  /** Share of the salience-weighted terms, 0..1, that are still there. */
  retention: number;
}

/** How often the strength is sought that just fits, unless what fits fills this share of the room before. */
const SEARCH_STEPS = 6;
const WELL_FILLED = 0.85;
/** The next strength to try lies where a straight line would, but for this share of the interval at either end. */
const MARGIN = 0.1;
const CUT = " …";

/** Condenses a text as little as makes it fit into `most` tokens (at least 1); what still does not fit is cut. */
export function condenseTo(text: string, most: number, tokens: TokenCounter): Gist {
  const count = tokens.count(text);
  if (count <= most) return { text, tokens: count, retention: 1 };
  const { weights, condense } = readCondensable(text, tokens);
  let fitting: { text: string; tokens: number } | undefined;
  let low = { keep: 0, tokens: 0 };
  let high = { keep: 1, tokens: count };
  for (let step = 0; step < SEARCH_STEPS && (fitting?.tokens ?? 0) < WELL_FILLED * most; step++) {
    const share = (most - low.tokens) / (high.tokens - low.tokens);
    const keep = low.keep + (high.keep - low.keep) * Math.min(1 - MARGIN, Math.max(MARGIN, share));
    const condensed = condense(keep);
    const tried = { keep, tokens: tokens.count(condensed) };
    if (tried.tokens <= most) {
      fitting = { text: condensed, tokens: tried.tokens };
      low = tried;
    } else {
      high = tried;
    }
  }
  const kept = fitting?.text ?? cutTo(condense(0), most, tokens);
  return { text: kept, tokens: fitting?.tokens ?? tokens.count(kept), retention: retentionOf(weights, kept) };
}

/** The beginning of a text, cut between words where there are any. */
function cutTo(text: string, most: number, tokens: TokenCounter): string {
  let cut = text;
  for (let count = tokens.count(cut); count > most && cut !== ""; count = tokens.count(cut)) {
    const short = cut.slice(0, Math.min(cut.length - CUT.length - 1, Math.floor((cut.length * most) / count)));
    const words = trimmedEnd(short, /\S/).slice(0, -1);
    const kept = (words === "" ? short : words).toWellFormed();
    cut = kept === "" ? "" : kept + CUT;
  }
  return cut;
}

/** A sentence that says much, and how much: comparable between texts. */
export interface KeyPoint {
  text: string;
  score: number;
}

const LEAST_WORDS = 4;
const LONGEST_CHARACTERS = 240;
/** What says less than this share of what the best one says is no key point. */
const LEAST_SHARE = 0.2;

/**
 * The statements that say most of what a text says, at most `most` in its order: one after the other the sentence that
 * adds the most salience by the square root of its length, what was said by those before it not counted again.
 */
export function keyPointsOf(text: string, most: number, tokens: TokenCounter): KeyPoint[] {
  const { lines, weights } = readCondensable(text, tokens);
  const candidates = lines
    .flatMap(({ sentences }) => sentences)
    .map(({ start, end, words }) => ({ text: text.slice(start, end).trim(), words }))
    .filter((each) => each.words.length >= LEAST_WORDS && each.text.length <= LONGEST_CHARACTERS)
    .filter((each) => !each.text.endsWith("?"));
  const chosen: { place: number; point: KeyPoint }[] = [];
  for (const { place, score } of bySalience(candidates, weights)) {
    if (chosen.length === most || score < LEAST_SHARE * (chosen[0]?.point.score ?? 0)) break;
    chosen.push({ place, point: { text: candidates[place]?.text ?? "", score } });
  }
  return chosen.sort((one, other) => one.place - other.place).map(({ point }) => point);
}

/** Something to choose: its words, and how much they count beside others' (1 unless it is said). */
export interface Salient {
  words: Word[];
  factor?: number;
}

/**
 * The places of sentences, the one that adds most first: its salience by a power of its length in words, without what those
 * before it say. Ends with those that add nothing.
 */
export function* bySalience(
  sentences: Salient[],
  weights: TermWeights,
  exponent = 0.5,
): Generator<{ place: number; score: number }> {
  const said = new Set<string>();
  let left = sentences.map(({ words, factor = 1 }, place) => ({
    place,
    terms: [...new Map(words.map((word) => [termOf(word), word]))].map(([term, { folded }]) => ({
      term,
      isPlaced: term !== folded,
      weight: weights.get(term) ?? 0,
    })),
    scale: factor / words.length ** exponent,
  }));
  for (;;) {
    let best = { place: -1, score: 0 };
    for (const { place, terms, scale } of left) {
      const fresh = terms.filter(({ term }) => !said.has(term));
      // A "not" counts wherever it is said, but not in a sentence that is said again.
      if (fresh.every(({ isPlaced }) => isPlaced)) continue;
      const score = scale * fresh.reduce((sum, { weight }) => sum + weight, 0);
      if (score > best.score) best = { place, score };
    }
    const chosen = left.find(({ place }) => place === best.place);
    if (chosen === undefined) return;
    left = left.filter((each) => each !== chosen);
    for (const { term } of chosen.terms) said.add(term);
    yield { place: best.place, score: Math.round(best.score * 100) / 100 };
  }
}
