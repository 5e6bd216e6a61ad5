import type { MarkdownWriter } from "./markdown-writer.ts";

/** Maximum cells and columns of a table; further ones are dropped. */
const MAX_CELLS = 500_000;
export const MAX_COLUMNS = 1_000;

/** Collects the rows of a table. Trailing empty cells need no memory, however many a file declares. */
export class TableRows {
  readonly rows: string[][] = [];
  /** Paragraphs of the open cell. */
  readonly #cell: string[] = [];
  /** Number of cells in all rows. */
  #cells = 0;
  /** Number of empty cells to add before the next cell with text. */
  #empty = 0;

  openRow(): void {
    this.#empty = 0;
    if (this.#cells < MAX_CELLS) this.rows.push([]);
  }

  addText(text: string): void {
    this.#cell.push(text);
  }

  /** Ends the open cell, which may span columns or be repeated. */
  endCell({ columns = 1, repeated = 1 }: { columns?: number; repeated?: number } = {}): void {
    const text = this.#cell.join(" ").trim();
    this.#cell.length = 0;
    if (text === "") this.skip(Math.max(columns, repeated));
    else {
      for (let count = 0; count < Math.min(repeated, MAX_COLUMNS); count++) this.#add(text);
      this.skip(columns - 1);
    }
  }

  /** Adds empty cells. */
  skip(columns: number): void {
    this.#empty += columns;
  }

  /** Sets the cell of a column of the open row, counted from 0; columns come in order. */
  set(column: number, text: string): void {
    const row = this.rows.at(-1);
    if (!row || column < row.length) return;
    this.#empty = column - row.length;
    this.#add(text);
  }

  #add(text: string): void {
    const row = this.rows.at(-1);
    if (!row || this.#cells >= MAX_CELLS || row.length + this.#empty >= MAX_COLUMNS) return;
    const gap = this.#empty;
    row.push(...Array<string>(gap).fill(""), text);
    this.#empty = 0;
    this.#cells += 1 + gap;
  }
}

/** Ends the innermost open table: writes it, or adds its rows to the text of the cell around it. */
export function endTable(tables: TableRows[], writer: MarkdownWriter): void {
  const { rows } = tables.pop() ?? { rows: [] };
  const outer = tables.at(-1);
  if (!outer) writer.table(rows);
  for (const row of outer ? rows : []) outer?.addText(row.join(" "));
}
