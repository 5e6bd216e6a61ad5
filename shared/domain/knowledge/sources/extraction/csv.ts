import { parse } from "csv-parse/sync";
import { MarkdownWriter } from "./markdown-writer.ts";
import { UnreadableError } from "./unreadable.ts";

/** Characters used to detect the delimiter. */
const HEAD_CHARACTERS = 4_096;
const DELIMITERS = [",", ";", "\t", "|"];
const MAX_RECORD_CHARACTERS = 100_000;

/** The rows of delimiter-separated values; the first is the header. Throws UnreadableError. */
export function readCsv(text: string): MarkdownWriter {
  const writer = new MarkdownWriter();
  try {
    const rows = parse(text, {
      delimiter: delimiterOf(text.slice(0, HEAD_CHARACTERS)),
      bom: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: MAX_RECORD_CHARACTERS,
    });
    writer.table(rows);
  } catch {
    throw new UnreadableError("its rows are broken");
  }
  return writer;
}

/** The character that occurs equally often in most of the first lines. */
function delimiterOf(head: string): string {
  const lines = head
    .split("\n")
    .slice(0, 10)
    .filter((line) => line.trim() !== "");
  const columns = (line: string, delimiter: string) => line.split(delimiter).length;
  const score = (delimiter: string) => {
    const first = columns(lines[0] ?? "", delimiter);
    return first === 1 ? 0 : lines.filter((line) => columns(line, delimiter) === first).length * 100 + first;
  };
  return DELIMITERS.reduce((best, delimiter) => (score(delimiter) > score(best) ? delimiter : best));
}
