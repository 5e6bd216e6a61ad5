import { CSV_HEADER, toCsvLine } from "./rows/csv-cells.ts";
import { EXPORT_FORMAT, type MemoryRow } from "./rows/row.ts";
import type { ExportFormat } from "./transfer.ts";

/** How rows are written in a file format. */
interface FileForm {
  extension: string;
  contentType: string;
  head: string;
  separator: string;
  tail: string;
  toText(row: MemoryRow): string;
}

export const FILE_FORMS: Readonly<Record<ExportFormat, FileForm>> = {
  json: {
    extension: "json",
    contentType: "application/json",
    head: `{"format_version":${EXPORT_FORMAT},"memories":[\n`,
    separator: ",\n",
    tail: "\n]}\n",
    toText: (row) => JSON.stringify(row),
  },
  jsonl: {
    extension: "jsonl",
    contentType: "application/x-ndjson",
    head: "",
    separator: "",
    tail: "",
    toText: (row) => `${JSON.stringify(row)}\n`,
  },
  csv: {
    extension: "csv",
    contentType: "text/csv; charset=utf-8",
    head: CSV_HEADER,
    separator: "",
    tail: "",
    toText: toCsvLine,
  },
};

/** A file that is built in memory; `bytes` is its current size. */
export class FileDraft {
  readonly #rows: string[] = [];
  readonly form: FileForm;
  bytes: number;

  constructor(form: FileForm) {
    this.form = form;
    this.bytes = Buffer.byteLength(form.head + form.tail);
  }

  get memories(): number {
    return this.#rows.length;
  }

  /** Whether the file would exceed `maxBytes` with this row; an empty file accepts any row. */
  isFullWith(row: string, maxBytes: number): boolean {
    return this.#rows.length > 0 && this.bytes + this.#lengthOf(row) > maxBytes;
  }

  add(row: string): void {
    this.#rows.push(row);
    this.bytes += this.#lengthOf(row);
  }

  toBuffer(): Buffer {
    const { head, separator, tail } = this.form;
    return Buffer.from(head + this.#rows.join(separator) + tail, "utf8");
  }

  #lengthOf(row: string): number {
    return Buffer.byteLength(row) + this.form.separator.length;
  }
}
