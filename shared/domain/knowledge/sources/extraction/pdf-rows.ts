/** A text run placed on a page; `y` grows upwards. */
export interface PlacedText {
  text: string;
  x: number;
  y: number;
  width: number;
  /** Font size. */
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

/** In units of the font size: baseline tolerance, and the widths above which a space is a blank or a gap. */
const SAME_BASELINE = 0.4;
const BLANK = 0.15;
const GAP = 1.1;

/** Returns the rows of a page from top to bottom, each split into segments at gaps wider than a blank between words. */
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
  const size = ordered.reduce((max, text) => Math.max(max, text.size), 0);
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
  const right = run.reduce((max, { x, width }) => Math.max(max, x + width), left);
  const size = run.reduce((max, placed) => Math.max(max, placed.size), 0);
  let text = "";
  let last: PlacedText | undefined;
  for (const placed of isRightToLeft ? run.toReversed() : run) {
    text += last && hasBlankBetween(last, placed) ? ` ${placed.text}` : placed.text;
    last = placed;
  }
  return { text: text.replaceAll(/\s+/g, " ").trim(), left, right, size };
}

function hasBlankBetween(one: PlacedText, other: PlacedText): boolean {
  const [first, second] = one.x <= other.x ? [one, other] : [other, one];
  return second.x - (first.x + first.width) > BLANK * Math.max(one.size, other.size);
}

export function textOfRow({ segments }: Row): string {
  return segments.map(({ text }) => text).join(" ");
}
