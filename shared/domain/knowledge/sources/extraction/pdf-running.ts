import { type Row, textOfRow } from "./pdf-rows.ts";

/** Rows at the top and bottom of a page that may be repeated. */
const EDGE_ROWS = 3;
/** Minimum number and share of pages with a repeated row; left and right pages may differ. */
const MIN_PAGES = 3;
const MIN_SHARE = 0.3;
/** Maximum baseline difference of the same row on two pages in points. */
const TOLERANCE = 4;

/** The pages without running headers and footers; page numbers in them may differ. */
export function withoutRunningRows(pages: Row[][]): Row[][] {
  const counts = new Map<string, number>();
  for (const rows of pages) {
    for (const key of new Set(edgesOf(rows).flatMap(keysOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const enough = Math.max(MIN_PAGES, pages.length * MIN_SHARE);
  const isRunning = (row: Row) => keysOf(row).some((key) => (counts.get(key) ?? 0) >= enough);
  return pages.map((rows) => {
    const running = new Set(edgesOf(rows).filter(isRunning));
    return rows.filter((row) => !running.has(row));
  });
}

function edgesOf(rows: Row[]): Row[] {
  return rows.length <= 2 * EDGE_ROWS ? rows : [...rows.slice(0, EDGE_ROWS), ...rows.slice(-EDGE_ROWS)];
}

/** Two keys, so that rows on either side of a rounding boundary match. */
function keysOf(row: Row): string[] {
  const text = textOfRow(row).replaceAll(/\d+/g, "#");
  const place = row.y / TOLERANCE;
  return [`${Math.floor(place)} ${text}`, `~${Math.round(place)} ${text}`];
}
