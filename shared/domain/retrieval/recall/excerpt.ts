import { memoizedByText } from "../../../kernel/memoized.ts";
import { termOf, type Word } from "../../../kernel/text/text.ts";
import { type Condensable, readCondensable } from "../../compression/condensing/condense.ts";
import type { TokenCounter } from "../../compression/condensing/tokens.ts";
import { bySalience, condenseTo, type Salient } from "../../compression/gist.ts";
import { opensWithReference } from "./references.ts";

/** Characters of a text that are split into sentences; of a longer text, the part that holds most of the query. */
const MAX_READ = 4_000;
/** Distance between the starts of two such parts, in characters. */
const STEP = 1_000;
/** Characters of the texts whose sentences are cached. */
const MAX_CACHED_TEXT = 200_000;
const GAP = "…";
/** The salience of a sentence that holds all terms of the query is increased by this factor. */
const QUERY_FACTOR = 2;
/** A sentence that adds less than this share of the best one's salience is left out. */
const MIN_GAIN_SHARE = 0.3;

/** The worth of each term of the query; very common terms are worth little. */
export type TermWorth = ReadonlyMap<string, number>;

/** Sizes in tokens: a text up to `whole` is not shortened, and a shortened text has at most `max`. */
export interface ExcerptLimits {
  whole: number;
  max: number;
}

/**
 * Returns the sentences of a long text that matter for a query, in their order: the most salient ones, where terms of
 * the query count more. If the best one or the one after it begins with a reference, the sentence before the reference
 * is kept too. A best sentence that is too long is condensed.
 */
export function excerpt(text: string, worth: TermWorth, { whole, max }: ExcerptLimits, counter: TokenCounter): string {
  const isComplete = text.length <= MAX_READ;
  if (isComplete && counter.count(text) <= whole) return text;
  const part = isComplete ? text : bestPart(text, worth);
  const { lines, weights } = isComplete ? readingBy(counter)(part) : readCondensable(part, counter);
  const sentences = sentencesOf(part, lines, worth);
  const textOf = (position: number) => sentences[position]?.text ?? "";
  const positions = positionsByGain(sentences, weights);
  const best = positions[0];
  if (best === undefined || counter.count(textOf(best)) > max) {
    return condenseTo(best === undefined ? part : textOf(best), max, counter).text;
  }
  let room = max;
  const kept = new Set<number>();
  for (const position of [best, ...companionsOf(best, textOf), ...positions.slice(1)]) {
    const tokens = counter.count(` ${textOf(position)} ${GAP}`);
    if (kept.has(position) || (tokens > room && kept.size > 0)) continue;
    kept.add(position);
    room -= tokens;
  }
  const [before, after] = isComplete ? [-1, sentences.length] : [undefined, undefined];
  const ordered = [...kept].sort((one, other) => one - other);
  const pieces = ordered.flatMap((position, index) => {
    const isNext = (ordered[index - 1] ?? before) === position - 1;
    return isNext ? [textOf(position)] : [GAP, textOf(position)];
  });
  return [...pieces, ...(after === (ordered.at(-1) ?? 0) + 1 ? [] : [GAP])].join(" ");
}

/** The cached readings of short texts, by counter: recalls shorten the same memories again and again. */
const readings = new WeakMap<TokenCounter, (text: string) => Condensable>();

function readingBy(counter: TokenCounter): (text: string) => Condensable {
  const known = readings.get(counter);
  if (known !== undefined) return known;
  const reading = memoizedByText((text) => readCondensable(text, counter), MAX_CACHED_TEXT);
  readings.set(counter, reading);
  return reading;
}

/** Returns the sentences that add enough, best first. */
function positionsByGain(sentences: Salient[], weights: Condensable["weights"]): number[] {
  const positions: number[] = [];
  let best: number | undefined;
  for (const { position, score } of bySalience(sentences, weights)) {
    best ??= score;
    if (score < MIN_GAIN_SHARE * best) break;
    positions.push(position);
  }
  return positions;
}

/** Returns the previous sentence if this one refers to it, and the next one if it refers to this one. */
function companionsOf(position: number, textOf: (position: number) => string): number[] {
  const before = opensWithReference(textOf(position)) && position > 0 ? [position - 1] : [];
  return opensWithReference(textOf(position + 1)) ? [...before, position + 1] : before;
}

interface SalientSentence extends Salient {
  text: string;
}

/** Returns the sentences of a text that have words. */
function sentencesOf(text: string, lines: Condensable["lines"], worth: TermWorth): SalientSentence[] {
  const total = [...worth.values()].reduce((sum, value) => sum + value, 0);
  return lines
    .flatMap(({ label, sentences }) =>
      sentences.map(({ start, end, words }, index) =>
        index === 0 ? { start: label.start, end, words: [...label.words, ...words] } : { start, end, words },
      ),
    )
    .filter(({ words }) => words.length > 0)
    .map(({ start, end, words }) => {
      const share = total === 0 ? 0 : worthOfWords(words, worth) / total;
      return { text: text.slice(start, end).replace(/\s+/g, " ").trim(), words, factor: 1 + QUERY_FACTOR * share };
    });
}

function worthOfWords(words: Word[], worth: TermWorth): number {
  const terms = new Set(words.map(({ folded }) => termOf(folded)));
  return [...terms].reduce((sum, term) => sum + (worth.get(term ?? "") ?? 0), 0);
}

/** Returns the part of a long text with most of the query's terms, without analysing the whole text. */
function bestPart(text: string, worth: TermWorth): string {
  const folded = text.toLowerCase();
  let best = { start: 0, value: -1 };
  for (let start = 0; start < text.length; start += STEP) {
    const part = folded.slice(start, start + MAX_READ);
    const value = [...worth].reduce((sum, [term, termWorth]) => sum + (part.includes(term) ? termWorth : 0), 0);
    if (value > best.value) best = { start, value };
  }
  return text.slice(best.start, best.start + MAX_READ).toWellFormed();
}
