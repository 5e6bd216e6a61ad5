/** A text run placed on a page; `y` grows upwards. */
export interface PlacedText {
  text: string;
  x: number;
  y: number;
  width: number;
  /** Of the font. */
  size: number;
  isRightToLeft: boolean;
}

/** Text without a wide gap. */
export interface Segment {
  text: string;
  left: number;
  right: number;
  size: number;
}

/** The text on one baseline from left to right. */
export interface Row {
  y: number;
  size: number;
  segments: Segment[];
}

/** In units of the font size: tolerance of a baseline, a blank between words, and a gap between columns. */
const SAME_BASELINE = 0.4;
const BLANK = 0.15;
const GAP = 1.1;

/** The rows of a page from top to bottom, split at gaps wider than between words. */
export function rowsOf(texts: PlacedText[]): Row[] {
  const sorted = texts.filter(({ text }) => text.trim() !== "").sort((one, other) => other.y - one.y);
  const rows: Row[] = [];
  let line: PlacedText[] = [];
  for (const text of sorted) {
    const [first] = line;
    if (first && first.y - text.y > SAME_BASELINE * Math.max(first.size, text.size)) {
      rows.push(rowOf(line));
      line = [];
    }
    line.push(text);
  }
  if (line.length > 0) rows.push(rowOf(line));
  return rows;
}

function rowOf(line: PlacedText[]): Row {
  const ordered = line.toSorted((one, other) => one.x - other.x);
  const size = ordered.reduce((most, text) => Math.max(most, text.size), 0);
  const runs: PlacedText[][] = [];
  let right = Number.NEGATIVE_INFINITY;
  for (const text of ordered) {
    if (text.x - right > GAP * size) runs.push([]);
    runs.at(-1)?.push(text);
    right = Math.max(right, text.x + text.width);
  }
  return { y: line[0]?.y ?? 0, size, segments: runs.map(segmentOf) };
}

function segmentOf(run: PlacedText[]): Segment {
  const isRightToLeft = run.filter((text) => text.isRightToLeft).length * 2 > run.length;
  const left = run[0]?.x ?? 0;
  const right = run.reduce((most, { x, width }) => Math.max(most, x + width), left);
  const size = run.reduce((most, each) => Math.max(most, each.size), 0);
  let text = "";
  let last: PlacedText | undefined;
  for (const each of isRightToLeft ? run.toReversed() : run) {
    text += last && hasBlank(last, each) ? ` ${each.text}` : each.text;
    last = each;
  }
  return { text: text.replaceAll(/\s+/g, " ").trim(), left, right, size };
}

function hasBlank(one: PlacedText, other: PlacedText): boolean {
  const [first, second] = one.x <= other.x ? [one, other] : [other, one];
  return second.x - (first.x + first.width) > BLANK * Math.max(one.size, other.size);
}

export function textOfRow({ segments }: Row): string {
  return segments.map(({ text }) => text).join(" ");
}
