import { type Word, words } from "../../../kernel/text/text.ts";
import { sentenceSegments } from "../../../language/words/segments.ts";

/** A sentence: its position in the text and its words. The last sentence of a line ends before the line break. */
export interface Sentence {
  start: number;
  end: number;
  words: Word[];
}

/** One line. `label` is its prefix that applies to all its sentences ("Anna: "), with the words in it. */
export interface Line {
  label: Sentence;
  sentences: Sentence[];
}

const LABEL = /^\s*(?:\[[^\]]{1,40}\]\s*)?[\p{L}\p{N}][^:.!?,;]{0,38}:\s+(?=\S)/u;

/** Splits a text into lines and sentences without gaps: labels, sentences and line breaks, joined, are the text. */
export function readPassage(text: string): Line[] {
  const found = words(text);
  const takeWords = inOrder(found, (word) => word.start);
  const takeEnds = inOrder(sentenceEnds(text, found), (end) => end - 1);
  const take = (start: number, end: number): Sentence => ({ start, end, words: takeWords(end) });
  let start = 0;
  return text.split("\n").map((line) => {
    const labelEnd = start + (LABEL.exec(line)?.[0].length ?? 0);
    const end = start + line.length;
    takeEnds(labelEnd);
    const label = take(start, labelEnd);
    const ends = end > labelEnd ? [...takeEnds(end - 1), end] : [];
    const sentences = ends.map((sentenceEnd, index) => take(ends[index - 1] ?? labelEnd, sentenceEnd));
    start = end + 1;
    return { label, sentences };
  });
}

/** Consumes a sorted list in steps: each call returns the items not yet returned that precede a position. */
function inOrder<Item>(items: Item[], positionOf: (item: Item) => number): (before: number) => Item[] {
  let next = 0;
  return (before) => {
    const first = next;
    for (let item = items[next]; item !== undefined && positionOf(item) < before; item = items[next]) next++;
    return items.slice(first, next);
  };
}

/**
 * Returns sentence ends in ascending order; a line break ends a sentence too. Ends inside a word, as after the mark in
 * "?\u0301a", are skipped because half a word is a different word.
 */
function sentenceEnds(text: string, found: Word[]): number[] {
  const ends: number[] = [];
  let next = 0;
  for (const { segment, index } of sentenceSegments(text)) {
    const end = index + segment.length;
    while ((found[next]?.end ?? Number.POSITIVE_INFINITY) <= end) next++;
    const isInside = (found[next]?.start ?? end) < end;
    if (!isInside) ends.push(end);
  }
  return ends;
}
