import {
  directionOf,
  inReadingOrder,
  isMark,
  isMostlyRightToLeft,
  withMatchingBrackets,
  withPlainLetters,
} from "./right-to-left.ts";

/** A text run placed on a page; `y` grows upwards. */
export interface PlacedText {
  text: string;
  x: number;
  y: number;
  width: number;
  /** Font size. */
  size: number;
}

/** Text without a wide gap, in reading order. */
export interface Segment {
  text: string;
  isRightToLeft: boolean;
  left: number;
  right: number;
  size: number;
}

/** The text on one baseline; its segments are in the order of their places, from left to right. */
export interface Row {
  isRightToLeft: boolean;
  y: number;
  size: number;
  segments: Segment[];
}

/** In units of the font size: baseline tolerance, and the widths above which a space is a blank or a gap. */
const SAME_BASELINE = 0.4;
const BLANK = 0.15;
const GAP = 1.1;

/** Returns the rows of a page from top to bottom, each split into segments at gaps wider than a blank between words. */
export function rowsOf(texts: PlacedText[]): Row[] {
  // Glyphs without a known letter are control characters.
  const known = texts.map((placed) => ({ ...placed, text: placed.text.replace(/\p{Cc}/gu, " ") }));
  const shown = known.map((placed) => ({ ...placed, text: withPlainLetters(placed.text) }));
  const isRightToLeft = isMostlyRightToLeft(shown.map(({ text }) => text));
  const sorted = shown.filter(({ text }) => text.trim() !== "").sort((one, other) => other.y - one.y);
  const rows: Row[] = [];
  let line: PlacedText[] = [];
  for (const text of sorted) {
    const [first] = line;
    if (first && first.y - text.y > SAME_BASELINE * Math.max(first.size, text.size)) {
      rows.push(rowOf(line, isRightToLeft));
      line = [];
    }
    line.push(text);
  }
  if (line.length > 0) rows.push(rowOf(line, isRightToLeft));
  return rows;
}

function rowOf(line: PlacedText[], isPageRightToLeft: boolean): Row {
  const ordered = withMarks(line);
  const isRightToLeft = directionOf(
    ordered.map(({ text }) => text),
    isPageRightToLeft,
  );
  const size = ordered.reduce((max, text) => Math.max(max, text.size), 0);
  const runs: PlacedText[][] = [];
  let right = Number.NEGATIVE_INFINITY;
  for (const text of ordered) {
    if (text.x - right > GAP * size) runs.push([]);
    runs.at(-1)?.push(text);
    right = Math.max(right, text.x + text.width);
  }
  return { y: line[0]?.y ?? 0, size, isRightToLeft, segments: runs.map((run) => segmentOf(run, isRightToLeft)) };
}

/** Returns the texts of a line in the order of their places, with marks at the end of the text that they are above or below. */
function withMarks(line: PlacedText[]): PlacedText[] {
  const placed = line.toSorted((one, other) => one.x - other.x).map((text) => ({ ...text }));
  const texts: PlacedText[] = [];
  /** Marks right of all texts so far: they belong to the next one. */
  let early = "";
  for (const text of placed) {
    const base = texts.at(-1);
    if (!isMark(text.text)) {
      texts.push({ ...text, text: text.text + early });
      early = "";
    } else if (base !== undefined && base.x + base.width >= text.x) base.text += text.text.trim();
    else early += text.text.trim();
  }
  return texts;
}

function segmentOf(run: PlacedText[], isRightToLeft: boolean): Segment {
  const left = run[0]?.x ?? 0;
  const right = run.reduce((max, { x, width }) => Math.max(max, x + width), left);
  const size = run.reduce((max, placed) => Math.max(max, placed.size), 0);
  let text = "";
  let last: PlacedText | undefined;
  for (const placed of inReadingOrder(run, isRightToLeft)) {
    text += last && hasBlankBetween(last, placed) ? ` ${placed.text}` : placed.text;
    last = placed;
  }
  const line = text.replaceAll(/\s+/g, " ").trim();
  return { text: isRightToLeft ? withMatchingBrackets(line) : line, isRightToLeft, left, right, size };
}

function hasBlankBetween(one: PlacedText, other: PlacedText): boolean {
  const [first, second] = one.x <= other.x ? [one, other] : [other, one];
  return second.x - (first.x + first.width) > BLANK * Math.max(one.size, other.size);
}

export function textOfRow({ segments, isRightToLeft }: Row): string {
  const ordered = isRightToLeft ? segments.toReversed() : segments;
  return ordered.map(({ text }) => text).join(" ");
}
