import type { FieldProblem } from "../kernel/errors.ts";
import { isObject } from "../kernel/objects.ts";
import { MemoryRow } from "./row.ts";

/** Columns of exported files, in their order. */
const COLUMNS = Object.keys(MemoryRow.shape) as (keyof MemoryRow)[];

/** Fields that are objects, lists or numbers: their cells hold JSON. */
const JSON_COLUMNS: ReadonlySet<string> = new Set<keyof MemoryRow>([
  "categories",
  "metadata",
  "version",
  "entities",
  "facts",
  "compression",
  "ratings",
]);
/** A column of one entry of metadata, whose cells are text. */
const METADATA_PREFIX = "metadata.";

/** What spreadsheets run as a formula (OWASP, CSV injection), or what is escaped already. */
const FORMULA = /^'*[=+\-@\t\r]/;
const ESCAPED_FORMULA = /^'+[=+\-@\t\r]/;
/** Semicolons and tabs too: some spreadsheets split cells at them. */
const NEEDS_QUOTES = /["\r\n,;\t]/;

/** Undefined where the names can be columns. */
export function headerProblem(columns: string[]): string | undefined {
  if (!columns.includes("content") && !columns.includes("memory")) return "there is no column `content`";
  const twice = columns.find((name, place) => columns.indexOf(name) !== place);
  return twice === undefined ? undefined : `a column is named twice, \`${twice.slice(0, 64)}\``;
}

/** The row of a line; an empty cell is an absent field. */
export function fromCells(columns: string[], cells: string[]): { row: object } | { problem: FieldProblem } {
  const fields: [string, unknown][] = [];
  const metadata: [string, string][] = [];
  for (const [place, column] of columns.entries()) {
    const cell = cells[place] ?? "";
    if (cell === "") continue;
    const text = ESCAPED_FORMULA.test(cell) ? cell.slice(1) : cell;
    if (column.startsWith(METADATA_PREFIX)) metadata.push([column.slice(METADATA_PREFIX.length), text]);
    else if (!JSON_COLUMNS.has(column)) fields.push([column, text]);
    else {
      const value = fromJson(text);
      if (value === undefined) return { problem: { field: column, problem: "must be JSON, or empty" } };
      fields.push([column, value]);
    }
  }
  const own = Object.fromEntries(fields);
  if (metadata.length === 0) return { row: own };
  return {
    row: { ...own, metadata: { ...Object.fromEntries(metadata), ...(isObject(own.metadata) ? own.metadata : {}) } },
  };
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const CSV_HEADER = `${COLUMNS.join(",")}\r\n`;

/** A memory as a line of CSV, without formulas: `fromCells` reads back the same row. */
export function toCsvLine(row: MemoryRow): string {
  const cells = COLUMNS.map((column) => {
    const value = row[column];
    if (value === undefined) return "";
    return quoted(JSON_COLUMNS.has(column) ? JSON.stringify(value) : escapeFormula(String(value)));
  });
  return `${cells.join(",")}\r\n`;
}

function escapeFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

function quoted(text: string): string {
  return NEEDS_QUOTES.test(text) || text.trim() !== text ? `"${text.replaceAll('"', '""')}"` : text;
}
