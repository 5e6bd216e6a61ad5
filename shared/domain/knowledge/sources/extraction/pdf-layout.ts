import type { MarkdownWriter } from "./markdown-writer.ts";
import { type Row, type Segment, textOfRow } from "./pdf-rows.ts";

/** Maximum rows per page for layout analysis, which is quadratic; longer pages are written row by row. */
const MAX_ROWS = 1_000;
/** Minimum number of rows with text in both columns, and minimum average characters per row of a column. */
const MIN_COLUMN_ROWS = 4;
const MIN_COLUMN_CHARACTERS = 18;
/** Minimum share of rows with text on both sides of the gap. */
const MIN_SHARED_ROWS = 0.5;
const MIN_TABLE_ROWS = 2;
/** In units of the font size: the minimum gap between columns, and the maximum line distance within a paragraph. */
const GUTTER = 0.8;
const PARAGRAPH_GAP = 1.7;
/** Maximum distance of a blank from a cell border, in units of the font size. */
const MAX_BLANK_DISTANCE = 1.5;
/** Minimum font size of a heading, relative to the body text. */
const HEADING_SIZE = 1.15;
const MAX_HEADING_LENGTH = 150;
const MAX_HEADING_ROWS = 3;

const ITEM = /^(?:(?<bullet>[-–•▪◦*\uf0b7])|(?<number>\(?\d{1,3}[.)]))\s+/;

/** The font sizes of a document. */
export interface Sizes {
  body: number;
  /** Of headings, largest first. */
  headings: number[];
}

/** Returns the most frequent font size as that of the body, and the clearly larger ones as those of headings. */
export function sizesOf(pages: Row[][]): Sizes {
  const characters = new Map<number, number>();
  for (const row of pages.flat()) {
    const size = roundedSize(row.size);
    characters.set(size, (characters.get(size) ?? 0) + textOfRow(row).length);
  }
  const bySize = [...characters].sort(([, one], [, other]) => other - one);
  const body = bySize[0]?.[0] ?? 0;
  const headings = [...characters.keys()]
    .filter((size) => size >= body * HEADING_SIZE)
    .sort((one, other) => other - one);
  return { body, headings };
}

function roundedSize(size: number): number {
  return Math.round(size * 2) / 2;
}

/** Writes the rows of a page in reading order: column by column, tables as rows, paragraphs joined. */
export function writePage(writer: MarkdownWriter, rows: Row[], sizes: Sizes): void {
  if (rows.length > MAX_ROWS) {
    for (const row of rows) writer.paragraph(textOfRow(row));
    return;
  }
  for (let start = 0; start < rows.length; ) {
    const columns = columnsFrom(rows, start);
    const tableEnd = columns ? start : tableFrom(rows, start);
    if (columns) {
      for (const column of inOrder([columns.left, columns.right], columns.left)) writePage(writer, column, sizes);
      start = columns.end;
    } else if (tableEnd > start) {
      writer.table(cellsOf(rows.slice(start, tableEnd)));
      start = tableEnd;
    } else start = writeParagraph(writer, rows, start, sizes);
  }
}

/** Returns what stands from left to right on a page in the order in which its rows are read. */
function inOrder<Item>(items: Item[], rows: Row[]): Item[] {
  const isRightToLeft = rows.filter((row) => row.isRightToLeft).length * 2 > rows.length;
  return isRightToLeft ? items.toReversed() : items;
}

// ---------------------------------------------------------------- columns

interface Columns {
  left: Row[];
  right: Row[];
  /** Index of the row after the columns. */
  end: number;
}

/** Returns the rows from `start` on that a gap separates into two text columns. A column may contain columns again. */
function columnsFrom(rows: Row[], start: number): Columns | undefined {
  for (const gap of gapsOf(rows, start)) {
    const spanned = rowsAround(gap, rows.slice(start));
    const left = rowsOnSide(spanned, (segment) => segment.right <= gap.left);
    const right = rowsOnSide(spanned, (segment) => segment.left >= gap.right);
    const shared = spanned.filter((row) => isShared(row, gap)).length;
    if (shared < Math.max(MIN_COLUMN_ROWS, spanned.length * MIN_SHARED_ROWS)) continue;
    if (isProse(left) && isProse(right)) return { left, right, end: start + spanned.length };
  }
  return undefined;
}

/**
 * Returns the rows before the first row of cells or the first row that crosses the gap. They end after the last row
 * with text in both columns and the rows that directly continue it.
 */
function rowsAround(gap: Gap, rows: Row[]): Row[] {
  const crossing = rows.findIndex((row) => crosses(row, gap) || isCellRow(row));
  const spanned = crossing < 0 ? rows : rows.slice(0, crossing);
  let end = spanned.findLastIndex((row) => isShared(row, gap)) + 1;
  while (end < spanned.length && end > 0 && continues(spanned[end - 1] as Row, spanned[end] as Row)) end++;
  return spanned.slice(0, end);
}

function isShared({ segments }: Row, { left, right }: Gap): boolean {
  return segments.some((segment) => segment.right <= left) && segments.some((segment) => segment.left >= right);
}

/** Whether a row consists of three or more short texts. */
function isCellRow(row: Row): boolean {
  return row.segments.length > 2 && textOfRow(row).length / row.segments.length < MIN_COLUMN_CHARACTERS;
}

interface Gap {
  left: number;
  right: number;
}

/** Returns the gaps between the segments of the first rows, widest first. */
function gapsOf(rows: Row[], start: number): Gap[] {
  const gaps: Gap[] = [];
  for (const { segments, size } of rows.slice(start, start + MIN_COLUMN_ROWS)) {
    for (const [index, segment] of segments.slice(1).entries()) {
      const before = segments[index];
      if (before && segment.left - before.right >= GUTTER * size)
        gaps.push({ left: before.right, right: segment.left });
    }
  }
  const narrowed = gaps.map((gap) => narrow(gap, rows.slice(start)));
  return narrowed
    .filter(({ left, right }) => right > left)
    .sort((one, other) => other.right - other.left - one.right + one.left);
}

/** Returns the part of a gap that consecutive rows share, until a row crosses its middle or leaves too little of it. */
function narrow(gap: Gap, rows: Row[]): Gap {
  let { left, right } = gap;
  for (const { segments, size } of rows) {
    const middle = (left + right) / 2;
    if (segments.some((segment) => segment.left < middle && segment.right > middle)) break;
    const ends = segments.filter((segment) => segment.right <= middle).map((segment) => segment.right);
    const starts = segments.filter((segment) => segment.left >= middle).map((segment) => segment.left);
    const next = { left: Math.max(left, ...ends), right: Math.min(right, ...starts) };
    if (next.right - next.left < GUTTER * size * 0.5) break;
    left = next.left;
    right = next.right;
  }
  return { left, right };
}

function crosses({ segments }: Row, { left, right }: Gap): boolean {
  return segments.some((segment) => segment.left < right && segment.right > left);
}

function rowsOnSide(rows: Row[], isOnSide: (segment: Segment) => boolean): Row[] {
  return rows
    .map((row) => {
      const segments = row.segments.filter(isOnSide);
      return { ...row, segments, size: segments.reduce((max, { size }) => Math.max(max, size), 0) };
    })
    .filter(({ segments }) => segments.length > 0);
}

/** Whether rows are lines of text rather than cells: enough rows with enough characters on average. */
function isProse(rows: Row[]): boolean {
  const characters = rows.reduce((sum, row) => sum + textOfRow(row).length, 0);
  return rows.length >= MIN_COLUMN_ROWS && characters / rows.length >= MIN_COLUMN_CHARACTERS;
}

// ---------------------------------------------------------------- tables

/** Returns the index after the table that starts at row `start`, or `start` if there is none. */
function tableFrom(rows: Row[], start: number): number {
  let end = start;
  let cellsEnd = 0;
  for (; end < rows.length; end++) {
    const row = rows[end] as Row;
    const before = rows[end - 1];
    if (end > start && before && before.y - row.y > 3 * PARAGRAPH_GAP * row.size) break;
    if (row.segments.length > 1) cellsEnd = end + 1;
    else if (end - cellsEnd >= 1 || !isCell(row, rows.slice(start, cellsEnd))) break;
  }
  const count = cellsEnd - start;
  return count >= MIN_TABLE_ROWS && columnsOf(rows.slice(start, cellsEnd)).length > 1 ? cellsEnd : start;
}

/** Whether a row has a single text that lies within one column of the table. */
function isCell({ segments }: Row, table: Row[]): boolean {
  const [only] = segments;
  if (!only || table.length === 0) return false;
  return columnsOf(table).filter(({ left, right }) => only.left < right && only.right > left).length === 1;
}

/** Returns the horizontal ranges of the table's columns from left to right, taken from the rows with the most cells. */
function columnsOf(rows: Row[]): Gap[] {
  const cellCount = rows.reduce((max, { segments }) => Math.max(max, segments.length), 0);
  const full = rows.filter(({ segments }) => segments.length === cellCount);
  const columns: Gap[] = [];
  const segments = full.flatMap((row) => row.segments).sort((one, other) => one.left - other.left);
  for (const { left, right } of segments) {
    const last = columns.at(-1);
    if (last && left < last.right) last.right = Math.max(last.right, right);
    else columns.push({ left, right });
  }
  return columns;
}

function cellsOf(rows: Row[]): string[][] {
  const columns = columnsOf(rows);
  const borders = columns.slice(1).map(({ left }, index) => (left + (columns[index]?.right ?? left)) / 2);
  return rows.map(({ segments }) => {
    const cells: string[][] = columns.map(() => []);
    for (const part of segments.flatMap((segment) => cutAt(segment, borders))) {
      const column = borders.filter((border) => border <= (part.left + part.right) / 2).length;
      cells[column]?.push(part.text);
    }
    return inOrder(
      cells.map((texts) => texts.join(" ")),
      rows,
    );
  });
}

/** Splits a segment at blanks near column borders, because narrow gaps between cells look like blanks. */
function cutAt(segment: Segment, borders: number[]): Segment[] {
  const { text, left, right, size, isRightToLeft } = segment;
  const border = borders.find((each) => each > left + size && each < right - size);
  if (border === undefined) return [segment];
  const width = (right - left) / text.length;
  const blanks = [...text.matchAll(/ /g)].map(({ index }) => index);
  const positionOf = (index: number) => (isRightToLeft ? right - index * width : left + index * width);
  const distance = (index: number) => Math.abs(positionOf(index + 0.5) - border);
  const nearest = blanks.toSorted((one, other) => distance(one) - distance(other))[0];
  if (nearest === undefined || distance(nearest) > MAX_BLANK_DISTANCE * size) return [segment];
  const first = { ...segment, text: text.slice(0, nearest), ...between(segment, isRightToLeft, positionOf(nearest)) };
  const rest = {
    ...segment,
    text: text.slice(nearest + 1),
    ...between(segment, !isRightToLeft, positionOf(nearest + 1)),
  };
  return [first, ...cutAt(rest, borders)];
}

/** The part of a segment to the right or to the left of a place. */
function between({ left, right }: Segment, isOnRight: boolean, position: number): { left: number; right: number } {
  return isOnRight ? { left: position, right } : { left, right: position };
}

// ---------------------------------------------------------------- paragraphs

/** Writes the paragraph, list item or heading that starts at row `start`. Returns the index of the row after it. */
function writeParagraph(writer: MarkdownWriter, rows: Row[], start: number, { body, headings }: Sizes): number {
  const first = rows[start] as Row;
  let end = start + 1;
  while (end < rows.length && continues(rows[end - 1] as Row, rows[end] as Row)) end++;
  const text = joinLines(rows.slice(start, end).map(textOfRow));
  const level = headings.indexOf(roundedSize(first.size)) + 1;
  const isHeading =
    level > 0 && first.size > body && end - start <= MAX_HEADING_ROWS && text.length <= MAX_HEADING_LENGTH;
  const item = ITEM.exec(text);
  if (isHeading) writer.heading(level, text);
  else if (item) writer.item(0, text.slice(item[0].length), item.groups?.number ?? "-");
  else writer.paragraph(text);
  return end;
}

function continues(before: Row, row: Row): boolean {
  const isNear = before.y - row.y <= PARAGRAPH_GAP * Math.max(before.size, row.size);
  const isAlike = roundedSize(before.size) === roundedSize(row.size);
  const startsItem = ITEM.test(textOfRow(row));
  return isNear && isAlike && !startsItem && row.segments.length === 1;
}

/** Joins lines; a hyphenated word at a line end is rejoined. */
function joinLines(lines: string[]): string {
  let text = "";
  for (const line of lines) {
    const isDivided = /\p{Ll}[-\u00ad]$/u.test(text) && /^\p{Ll}/u.test(line);
    if (isDivided) text = text.slice(0, -1) + line;
    else text += text === "" ? line : ` ${line}`;
  }
  return text;
}
