/** Maximum characters of a file's text. */
const MAX_CHARACTERS = 10_000_000;
const MAX_LEVEL = 6;
const INDENT = "  ";
/** Paragraph starts that Markdown would interpret. */
const MARKUP = /^(?:#{1,6}\s|```|~~~|\|)/;

/**
 * Writes a document as Markdown, block by block: the common form of all formats, so that chunks find headings, lists
 * and tables. Text beyond the limit is dropped.
 */
export class MarkdownWriter {
  readonly #blocks: string[] = [];
  #length = 0;
  #isList = false;
  /** Whether text was dropped. */
  isCut = false;

  get text(): string {
    return this.#blocks.join("");
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** Starts a page, slide, sheet or other counted part. */
  pageBreak(): void {
    this.#add("\f");
  }

  heading(level: number, text: string): void {
    const line = oneLine(text);
    if (line !== "") this.#add(`${"#".repeat(Math.min(Math.max(level, 1), MAX_LEVEL))} ${line}`);
  }

  /** Adds a paragraph; line breaks within it are kept. */
  paragraph(text: string): void {
    const lines = text.split("\n").map(oneLine);
    const block = lines.join("\n").trim();
    if (block !== "") this.#add(MARKUP.test(block) ? `\\${block}` : block);
  }

  /** Adds a list item; `depth` is the number of enclosing lists. */
  item(depth: number, text: string, marker = "-"): void {
    const line = oneLine(text);
    if (line !== "") this.#add(`${INDENT.repeat(depth)}${marker} ${line}`, true);
  }

  code(language: string, text: string): void {
    const block = text.trimEnd();
    const fence = block.includes("```") ? "~~~~" : "```";
    if (block !== "") this.#add(`${fence}${language}\n${block}\n${fence}`);
  }

  /** Adds text that is already Markdown. */
  markdown(text: string): void {
    if (text.trim() !== "") this.#add(text.trim());
  }

  /** Adds rows of cells, the header first, without empty rows and columns; a single row or column is not a table. */
  table(rows: readonly (readonly string[])[]): void {
    const filled = rows.map((row) => row.map(oneLine)).filter((row) => row.some((cell) => cell !== ""));
    const used = new Set(filled.flatMap((row) => row.flatMap((cell, index) => (cell === "" ? [] : [index]))));
    const columns = [...used].sort((a, b) => a - b);
    const [header, ...others] = filled;
    if (!header) return;
    if (columns.length === 1 || others.length === 0) {
      for (const row of filled) this.paragraph(row.filter((cell) => cell !== "").join(" | "));
      return;
    }
    const toLine = (row: readonly string[]) =>
      `| ${columns.map((index) => (row[index] ?? "").replaceAll("|", "\\|")).join(" | ")} |`;
    if (isWide(header, others, columns.length)) {
      for (const row of others) this.paragraph(recordOf(header, row));
      return;
    }
    this.#add(`${toLine(header)}\n|${"---|".repeat(columns.length)}`);
    for (const row of others) {
      if (this.isCut) return;
      this.#add(toLine(row), false, "\n");
    }
  }

  #add(block: string, isList = false, separator = isList && this.#isList ? "\n" : "\n\n"): void {
    if (this.#length + block.length > MAX_CHARACTERS) {
      this.isCut = true;
      return;
    }
    const before = this.#blocks.length === 0 ? "" : separator;
    this.#blocks.push(before + block);
    this.#length += before.length + block.length;
    this.#isList = isList;
  }
}

/** A header too long to repeat in each chunk, and rows of which few fit into one, in characters. */
const MAX_HEADER_LENGTH = 350;
const MAX_ROW_LENGTH = 700;
/** The signs around a cell and below a header. */
const CELL_MARKS = 7;

/** Whether each row of a table is better read as a record: the name of its column before each value. */
function isWide(header: readonly string[], rows: readonly (readonly string[])[], columns: number): boolean {
  const lengthOf = (row: readonly string[]) => row.reduce((sum, cell) => sum + cell.length, columns * CELL_MARKS);
  return (
    lengthOf(header) > MAX_HEADER_LENGTH ||
    rows.filter((row) => lengthOf(row) > MAX_ROW_LENGTH).length * 2 > rows.length
  );
}

function recordOf(header: readonly string[], row: readonly string[]): string {
  const named = row.map((cell, index) => (cell === "" || !header[index] ? cell : `${header[index]}: ${cell}`));
  return named.filter((line) => line !== "").join("\n");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
