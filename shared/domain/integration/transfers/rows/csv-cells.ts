import type { FieldProblem } from "../../../../kernel/errors.ts";
import { isObject, parseJsonIfValid } from "../../../../kernel/objects.ts";
import { MemoryRow } from "./row.ts";

/** Columns of exported files in order. */
const COLUMNS = Object.keys(MemoryRow.shape) as (keyof MemoryRow)[];

/** Fields with JSON in their cells: objects, lists and numbers. */
const JSON_COLUMNS: ReadonlySet<string> = new Set<keyof MemoryRow>([
  "categories",
  "metadata",
  "version",
  "entities",
  "facts",
  "fact_decisions",
  "compression",
  "ratings",
]);
/** Prefix of a column for one metadata entry, whose cells are text. */
const METADATA_PREFIX = "metadata.";

/** Text that spreadsheets run as a formula (OWASP, CSV injection), or that is already escaped. */
const FORMULA = /^'*[=+\-@\t\r]/;
const ESCAPED_FORMULA = /^'+[=+\-@\t\r]/;
/** Text that must be quoted, also for semicolons and tabs, at which some spreadsheets split cells. */
const NEEDS_QUOTES = /["\r\n,;\t]/;

/** Returns the problem with the column names, or undefined if they are valid. */
export function headerProblem(columns: string[]): string | undefined {
  if (!columns.includes("content") && !columns.includes("memory")) return "there is no column `content`";
  const duplicate = columns.find((name, index) => columns.indexOf(name) !== index);
  return duplicate === undefined ? undefined : `a column is named twice, \`${duplicate.slice(0, 64)}\``;
}

/** The row of a line; an empty cell is an absent field. */
export function fromCells(columns: string[], cells: string[]): { row: object } | { problem: FieldProblem } {
  const fields: [string, unknown][] = [];
  const metadata: [string, string][] = [];
  for (const [index, column] of columns.entries()) {
    const cell = cells[index] ?? "";
    if (cell === "") continue;
    const text = ESCAPED_FORMULA.test(cell) ? cell.slice(1) : cell;
    if (column.startsWith(METADATA_PREFIX)) metadata.push([column.slice(METADATA_PREFIX.length), text]);
    else if (!JSON_COLUMNS.has(column)) fields.push([column, text]);
    else {
      const value = parseJsonIfValid(text);
      if (value === undefined) return { problem: { field: column, problem: "must be JSON, or empty" } };
      fields.push([column, value]);
    }
  }
  const plainFields = Object.fromEntries(fields);
  if (metadata.length === 0) return { row: plainFields };
  return {
    row: {
      ...plainFields,
      metadata: { ...Object.fromEntries(metadata), ...(isObject(plainFields.metadata) ? plainFields.metadata : {}) },
    },
  };
}

export const CSV_HEADER = `${COLUMNS.join(",")}\r\n`;

/** A memory as a line of CSV without formulas; `fromCells` reads back the same row. */
export function toCsvLine(row: MemoryRow): string {
  const cells = COLUMNS.map((column) => {
    const value = row[column];
    if (value === undefined) return "";
    if (JSON_COLUMNS.has(column)) return quoted(JSON.stringify(value));
    return quoted(FORMULA.test(String(value)) ? `'${value}` : String(value));
  });
  return `${cells.join(",")}\r\n`;
}

function quoted(text: string): string {
  return NEEDS_QUOTES.test(text) || text.trim() !== text ? `"${text.replaceAll('"', '""')}"` : text;
}
