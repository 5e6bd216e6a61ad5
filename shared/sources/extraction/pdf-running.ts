import { type Row, textOfRow } from "./pdf-rows.ts";

/** Rows at the top and at the bottom of a page that may be repeated on others. */
const EDGE_ROWS = 3;
/** What is on so many pages, and on such a share of them, is repeated: left and right pages may differ. */
const MIN_PAGES = 3;
const MIN_SHARE = 0.3;
/** Baselines of the same row of two pages are no further apart, in points. */
const TOLERANCE = 4;

/** The pages without the headers and footers that run through them; page numbers in these may differ. */
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

/** Two, so that rows on either side of a border are found alike. */
function keysOf(row: Row): string[] {
  const text = textOfRow(row).replaceAll(/\d+/g, "#");
  const place = row.y / TOLERANCE;
  return [`${Math.floor(place)} ${text}`, `~${Math.round(place)} ${text}`];
}
