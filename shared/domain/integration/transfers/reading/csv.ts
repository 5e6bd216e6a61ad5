import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CsvError, parse } from "csv-parse";
import { fromCells, headerProblem } from "../rows/csv-cells.ts";
import { damagedRow, type ImportEntry, UnreadableImportError } from "./entry.ts";
import { MAX_ELEMENT_LENGTH } from "./json-array.ts";

const DELIMITERS = [",", ";", "\t"];

/** The delimiter of a CSV file: the most frequent one in its first line. */
function delimiterOf(head: string): string {
  const [header = ""] = head.split(/\r?\n|\r/, 1);
  const [best = ","] = DELIMITERS.toSorted((a, b) => header.split(b).length - header.split(a).length);
  return best;
}

/** Rows of a CSV file whose first line names the columns (RFC 4180; semicolons and tabs too). Throws UnreadableImportError. */
export async function* readCsv(head: string, parts: AsyncIterable<string>): AsyncGenerator<ImportEntry> {
  const parser = parse({
    delimiter: delimiterOf(head),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_ELEMENT_LENGTH,
  });
  const source = Readable.from(parts);
  // Errors reach the reader through the parser, which the pipeline destroys with them.
  const piped = pipeline(source, parser).catch(() => undefined);
  let columns: string[] | undefined;
  try {
    for await (const cells of parser as AsyncIterable<string[]>) {
      if (columns) yield entryOf(columns, cells);
      else columns = requireHeader(cells);
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new UnreadableImportError(`The file is not valid CSV: ${problemOf(error)}. Correct it and send it again.`, {
      cause: error,
    });
  } finally {
    source.destroy();
    await piped;
  }
}

/** A text for each error code that can occur with these options; the library's own messages quote content. */
function problemOf({ code }: CsvError): string {
  if (code === "CSV_QUOTE_NOT_CLOSED") return "a quoted field is not closed";
  if (code === "CSV_MAX_RECORD_SIZE") return `a row is longer than ${MAX_ELEMENT_LENGTH} characters`;
  return "a quote is followed by other text than a delimiter";
}

function requireHeader(cells: string[]): string[] {
  const columns = cells.map((name) => name.trim());
  const problem = headerProblem(columns);
  if (problem !== undefined) throw new UnreadableImportError(`The first line must name the columns: ${problem}.`);
  return columns;
}

function entryOf(columns: string[], cells: string[]): ImportEntry {
  if (cells.length > columns.length) {
    return damagedRow(`has ${cells.length} cells where the first line names ${columns.length} columns`);
  }
  const read = fromCells(columns, cells);
  return "problem" in read ? { problem: read.problem } : { row: read.row };
}
