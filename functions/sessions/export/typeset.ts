import LineBreaker from "linebreak";
import type { FontStyle } from "./font-files.ts";
import { bidi, type Face, faceFor } from "./fonts.ts";

/** Text in one face. `width` is in ems. */
export interface Run {
  text: string;
  face: Face;
  width: number;
}

export interface Line {
  /** In drawing order, left to right. */
  runs: Run[];
  /** In ems. */
  width: number;
  /** Whether it starts at the right margin. */
  isRightToLeft: boolean;
}

/** A run in reading order; odd levels read right to left (Unicode Standard Annex 9). */
interface LogicalRun extends Run {
  level: number;
}

type Levels = Pick<Uint8Array, number>;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
const RIGHT_TO_LEFT = /[\p{scx=Hebr}\p{scx=Arab}\p{scx=Syrc}\p{scx=Thaa}\p{scx=Nkoo}\u061c\u200f\u202b\u202e\u2067]/u;
const LEFT_TO_RIGHT = { levels: [] as Levels, paragraphs: [] };
const JOINER = /[\u200c\u200d]/;
/** Control characters, variation selectors and the key cap of an emoji, which are not shown. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u{20e3}\u{fe00}-\u{fe0f}\u{e0100}-\u{e01ef}]/v;

/**
 * Breaks one paragraph into lines of at most `ems` at the opportunities of Unicode Standard Annex 14; a longer word is
 * broken between letters. A character without a font is shown by its code point.
 */
export function setParagraph(text: string, style: FontStyle, ems: number): Line[] {
  const { levels, paragraphs } = RIGHT_TO_LEFT.test(text) ? bidi.getEmbeddingLevels(text, "auto") : LEFT_TO_RIGHT;
  const isRightToLeft = (paragraphs[0]?.level ?? 0) % 2 === 1;
  const lines: LogicalRun[][] = [];
  let line: LogicalRun[] = [];
  let width = 0;
  for (const part of partsOf(text, style, levels, ems)) {
    if (line.length > 0 && width + widthOf(withoutTrailingBlanks(part)) > ems) {
      lines.push(line);
      line = [];
      width = 0;
    }
    width += widthOf(part);
    for (const run of part) append(line, run);
  }
  return [...lines, line].map((logicalRuns) => {
    const runs = inVisualOrder(measured(withoutTrailingBlanks(logicalRuns)));
    return { runs, width: widthOf(runs), isRightToLeft };
  });
}

/** Yields the unbreakable parts of a text; a word wider than a line is split into letters. */
function* partsOf(text: string, style: FontStyle, levels: Levels, ems: number): Generator<LogicalRun[], void> {
  const breaker = new LineBreaker(text);
  let start = 0;
  for (let next = breaker.nextBreak(); next !== null; next = breaker.nextBreak()) {
    const word = text.slice(start, next.position);
    const runs = runsOf(word, start, style, levels);
    if (widthOf(withoutTrailingBlanks(runs)) <= ems) yield runs;
    else for (const { segment, index } of graphemes.segment(word)) yield runsOf(segment, start + index, style, levels);
    start = next.position;
  }
}

/** Splits a text at changes of face or direction. */
function runsOf(text: string, start: number, style: FontStyle, levels: Levels): LogicalRun[] {
  const runs: LogicalRun[] = [];
  const add = (shown: string, level: number) => {
    const face = faceFor(shown, style, level % 2 === 1);
    if (face) append(runs, { text: shown, face, level, width: 0 });
    return face;
  };
  let index = start;
  for (const character of text) {
    const level = levels[index] ?? 0;
    index += character.length;
    if (!INVISIBLE.test(character)) {
      if (!add(character, level)) for (const shown of codePointOf(character)) add(shown, level + (level % 2));
      continue;
    }
    const before = runs.at(-1);
    const code = character.charCodeAt(0);
    if (JOINER.test(character) && before?.face.font.hasGlyphForCodePoint(code)) before.text += character;
  }
  return measured(runs);
}

function codePointOf(character: string): string {
  return `[U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}]`;
}

/** Extends the last run if face and level are the same. */
function append(runs: LogicalRun[], run: LogicalRun): void {
  const last = runs.at(-1);
  if (last?.face === run.face && last.level === run.level) last.text += run.text;
  else runs.push(run);
}

function measured(runs: LogicalRun[]): LogicalRun[] {
  for (const run of runs) run.width = run.face.widthOf(run.text);
  return runs;
}

function widthOf(runs: Run[]): number {
  return runs.reduce((sum, { width }) => sum + width, 0);
}

function withoutTrailingBlanks(runs: LogicalRun[]): LogicalRun[] {
  const kept = [...runs];
  for (let last = kept.pop(); last !== undefined; last = kept.pop()) {
    const text = last.text.trimEnd();
    if (text !== "") return [...kept, { ...last, text, width: last.face.widthOf(text) }];
  }
  return [];
}

/**
 * Rule L2 of Unicode Standard Annex 9: from the highest level to the lowest odd one, runs at or above it are reversed.
 */
function inVisualOrder(runs: LogicalRun[]): LogicalRun[] {
  const ordered = [...runs];
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  for (let level = highest; level >= 1; level--) {
    for (let start = 0; start < ordered.length; start++) {
      let end = start;
      while ((ordered[end]?.level ?? 0) >= level) end++;
      if (end > start) ordered.splice(start, end - start, ...ordered.slice(start, end).reverse());
      start = end;
    }
  }
  return ordered;
}
