import { DAY_SECONDS } from "../../../../kernel/durations.ts";
import type { Archive } from "./archive.ts";
import { writeCharts } from "./chart.ts";
import { MarkdownWriter } from "./markdown-writer.ts";
import { type Relationship, relationshipsOf } from "./relationships.ts";
import { TableRows } from "./table-rows.ts";
import { type Attributes, attribute, prefixed, readXml } from "./xml.ts";

const WORKBOOK = "xl/workbook.xml";
/** Built-in number formats of dates and times. */
const DATE_FORMATS = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 30, 36, 45, 46, 47, 50, 57]);
const PERCENT_FORMATS = new Set([9, 10]);
/** Days from the epoch of serial numbers to 1970; workbooks of early Macs use 1904. */
const EPOCH_DAYS = { 1900: 25_569, 1904: 24_107 } as const;
/** The last valid date, 9999-12-31. */
const MAX_SERIAL = 2_958_466;
const LETTERS = 26;

type NumberFormat = "date" | "percent" | "number";

interface Workbook {
  sheets: { name: string; id: string }[];
  epoch: keyof typeof EPOCH_DAYS;
  strings: string[];
  formats: NumberFormat[];
}

/**
 * Returns the text of a spreadsheet: a table per sheet, whose first row is the header. Formulas are read as their
 * results. Throws UnreadableError.
 */
export async function readXlsx(archive: Archive): Promise<MarkdownWriter> {
  const writer = new MarkdownWriter();
  const book = await readWorkbook(archive);
  const relationships = await relationshipsOf(archive, WORKBOOK);
  for (const { name, id } of book.sheets) {
    const part = relationships.get(id)?.target;
    const bytes = part === undefined ? undefined : await archive.read(part);
    if (!bytes) continue;
    writer.pageBreak();
    writer.heading(1, name);
    const parts = [...(await relationshipsOf(archive, part ?? "")).values()];
    const comments = await readComments(archive, parts);
    writer.table(readSheet(bytes, book, comments));
    for (const [cell, comment] of comments) writer.paragraph(`Comment on ${cell}: ${comment}`);
    for (const { target } of parts.filter(({ type }) => type === "drawing")) {
      await writeCharts(writer, archive, (await relationshipsOf(archive, target)).values());
    }
  }
  return writer;
}

/** Returns the comments of a sheet by cell; those of today's Excel are also stored in the old format, with a notice. */
async function readComments(archive: Archive, parts: Relationship[]): Promise<Map<string, string>> {
  const comments = new Map<string, string[]>();
  let cell = "";
  let text = "";
  const open = (attributes: Attributes) => {
    cell = attribute(attributes, "ref") ?? "";
    text = "";
  };
  const types = ["threadedComment", "comments"].filter((type) => parts.some((part) => part.type === type));
  for (const { target } of parts.filter(({ type }) => type === types[0])) {
    const close = () => {
      const ofCell = comments.get(cell) ?? [];
      ofCell.push(text.replace(/\s+/g, " ").trim());
      comments.set(cell, ofCell);
    };
    readXml(await archive.read(target), {
      skipped: ["rPh"],
      open: { comment: open, threadedComment: open },
      close: { comment: close, threadedComment: close },
      textIn: ["t", "text"],
      text: (part) => {
        text += part;
      },
    });
  }
  return new Map([...comments].map(([reference, texts]) => [reference, texts.join("; ")]));
}

async function readWorkbook(archive: Archive): Promise<Workbook> {
  const sheets: Workbook["sheets"] = [];
  let epoch: Workbook["epoch"] = 1900;
  readXml(await archive.require(WORKBOOK), {
    open: {
      sheet: (attributes) => {
        sheets.push({ name: attribute(attributes, "name") ?? "", id: prefixed(attributes, "id") ?? "" });
      },
      workbookPr: (attributes) => {
        if (["1", "true"].includes(attribute(attributes, "date1904") ?? "")) epoch = 1904;
      },
    },
  });
  return { sheets, epoch, strings: await readStrings(archive), formats: await readFormats(archive) };
}

async function readStrings(archive: Archive): Promise<string[]> {
  const strings: string[] = [];
  let text = "";
  readXml(await archive.read("xl/sharedStrings.xml"), {
    // Pronunciations of Japanese names.
    skipped: ["rPh"],
    open: {
      si: () => {
        text = "";
      },
    },
    close: { si: () => strings.push(text) },
    textIn: ["t"],
    text: (part) => {
      text += part;
    },
  });
  return strings;
}

/** Returns the number formats by index of the cell style. */
async function readFormats(archive: Archive): Promise<NumberFormat[]> {
  const formats: NumberFormat[] = [];
  const customFormats = new Map<number, string>();
  let isCell = false;
  readXml(await archive.read("xl/styles.xml"), {
    open: {
      numFmt: (attributes) =>
        customFormats.set(Number(attribute(attributes, "numFmtId")), attribute(attributes, "formatCode") ?? ""),
      cellXfs: () => {
        isCell = true;
      },
      xf: (attributes) => {
        if (isCell) formats.push(formatOf(Number(attribute(attributes, "numFmtId")), customFormats));
      },
    },
    close: {
      cellXfs: () => {
        isCell = false;
      },
    },
  });
  return formats;
}

function formatOf(id: number, customFormats: Map<number, string>): NumberFormat {
  // Quoted, escaped and bracketed parts are literal.
  const code = (customFormats.get(id) ?? "").replace(/"[^"]*"|\\.|\[[^\]]*\]/g, "");
  if (DATE_FORMATS.has(id) || /[dmyhs]/i.test(code)) return "date";
  return PERCENT_FORMATS.has(id) || code.includes("%") ? "percent" : "number";
}

/** Reads the cells of a sheet; a comment is moved into the text of its cell, if that has one. */
function readSheet(bytes: Uint8Array, book: Workbook, comments: Map<string, string>): string[][] {
  const table = new TableRows();
  let cell = { reference: "", column: -1, type: "n", style: 0, value: "" };
  readXml(bytes, {
    skipped: ["rPh", "f"],
    open: {
      row: () => {
        table.openRow();
        cell.column = -1;
      },
      c: (attributes) => {
        const reference = attribute(attributes, "r");
        const column = reference === undefined ? cell.column + 1 : columnOf(reference);
        const style = Number(attribute(attributes, "s")) || 0;
        cell = { reference: reference ?? "", column, type: attribute(attributes, "t") ?? "n", style, value: "" };
      },
    },
    close: {
      c: () => {
        if (cell.value === "") return;
        const comment = comments.get(cell.reference);
        comments.delete(cell.reference);
        const text = formatCell(cell, book);
        table.set(cell.column, comment === undefined ? text : `${text} (comment: ${comment})`);
      },
    },
    textIn: ["v", "t"],
    text: (part) => {
      cell.value += part;
    },
  });
  return table.rows;
}

/** Returns the column index, from 0, of a cell reference such as "BC12". */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}/i.exec(reference)?.[0].toUpperCase() ?? "A") {
    column = column * LETTERS + letter.charCodeAt(0) - "A".charCodeAt(0) + 1;
  }
  return column - 1;
}

function formatCell(
  { type, style, value }: { type: string; style: number; value: string },
  { strings, formats, epoch }: Workbook,
): string {
  if (type === "s") return strings[Number(value)] ?? "";
  if (type === "b") return value === "1" ? "true" : "false";
  const number = Number(value);
  if (type !== "n" || Number.isNaN(number)) return value;
  if (formats[style] === "percent") return `${Number((number * 100).toPrecision(12))}%`;
  if (formats[style] === "date" && number >= 0 && number < MAX_SERIAL) return dateOf(number, epoch);
  return String(Number(number.toPrecision(15)));
}

function dateOf(serial: number, epoch: Workbook["epoch"]): string {
  const iso = new Date(Math.round((serial - EPOCH_DAYS[epoch]) * DAY_SECONDS) * 1000).toISOString();
  if (serial < 1) return iso.slice(11, 19);
  return serial % 1 === 0 ? iso.slice(0, 10) : iso.slice(0, 19).replace("T", " ");
}
