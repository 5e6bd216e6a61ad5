import { trimmedEnd } from "../kernel/trimmed.ts";
import { type Condensable, readCondensable } from "./condense.ts";
import { retentionOf } from "./salience.ts";
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
  return fit(text, () => readCondensable(text, tokens), most, tokens);
}

/** A text in at most `most` tokens, and at most so many of its key points; at the price of reading it once. */
export function sumUp(
  text: string,
  { most, points }: { most: number; points: number },
  tokens: TokenCounter,
): Gist & { keyPoints: KeyPoint[] } {
  const condensable = readCondensable(text, tokens);
  return { ...fit(text, () => condensable, most, tokens), keyPoints: bestSentences(text, condensable, points) };
}

function fit(text: string, read: () => Condensable, most: number, tokens: TokenCounter): Gist {
  const count = tokens.count(text);
  if (count <= most) return { text, tokens: count, retention: 1 };
  const { weights, condense } = read();
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
  return bestSentences(text, readCondensable(text, tokens), most);
}

function bestSentences(text: string, { lines, weights }: Condensable, most: number): KeyPoint[] {
  const candidates = lines
    .flatMap(({ sentences }) => sentences)
    .map(({ start, end, words }) => ({ start, text: text.slice(start, end).trim(), words }))
    .filter((each) => each.words.length >= LEAST_WORDS && each.text.length <= LONGEST_CHARACTERS)
    .filter((each) => !each.text.endsWith("?"))
    .map((each) => ({ ...each, terms: new Set(each.words.map(({ folded }) => folded)) }));
  const said = new Set<string>();
  const chosen: { start: number; point: KeyPoint }[] = [];
  let least = 0;
  while (chosen.length < most && candidates.length > 0) {
    const scores = candidates.map(({ terms, words }) => {
      const added = [...terms].filter((term) => !said.has(term));
      return added.reduce((sum, term) => sum + (weights.get(term) ?? 0), 0) / Math.sqrt(words.length);
    });
    const best = scores.reduce((top, score, place) => (score > (scores[top] ?? 0) ? place : top), 0);
    const [candidate] = candidates.splice(best, 1);
    const score = scores[best] ?? 0;
    if (candidate === undefined || score === 0 || score < least) break;
    least = Math.max(least, score * LEAST_SHARE);
    for (const term of candidate.terms) said.add(term);
    chosen.push({ start: candidate.start, point: { text: candidate.text, score: Math.round(score * 100) / 100 } });
  }
  return chosen.sort((one, other) => one.start - other.start).map(({ point }) => point);
}
